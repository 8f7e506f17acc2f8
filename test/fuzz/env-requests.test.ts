import assert from 'node:assert/strict';
import fc from 'fast-check';
import { MAX_MESSAGE_LENGTH } from '../../env/text/quoted-text.js';
import { createEnvServer } from '../../scripts/env-server/server.js';
import { fuzz } from './fuzz.js';
import { hostileTexts } from './hostile-texts.js';

const ALPHABET = [
  ...['{', '}', '[', ']', ',', ':', '"', 'null', 'true', '1e308', '-1', '1e999', '\\u0000', '\\ud800', ' '],
  ...[
    '"id":1',
    '"method":',
    '"params":',
    '"env":1',
    '"kwargs":',
    '"plyLimit":',
    '"__proto__":',
    '"constructor":',
  ],
  ...[
    '"make"',
    '"reset"',
    '"step"',
    '"restore"',
    '"state":',
    '"gess/Quess"',
    '"gess/ConnectFour"',
    '"moves":',
  ],
];

const params = fc.record(
  {
    env: fc.constantFrom(1, 1, 1, 2),
    action: fc.constantFrom(0, 3, 6, null, 1e308),
    seed: fc.constantFrom(0, 7, 2 ** 53 - 1),
    seconds: fc.constantFrom(0, 1e308),
    moves: fc.constantFrom('3 3 4', ''),
    agent: fc.constantFrom('red', 'yellow'),
    id: fc.constantFrom('gess/ConnectFour', 'gess/Quess-v0'),
    kwargs: fc.constantFrom({}, { plyLimit: 3 }, { rules: 'standard,clock=10' }),
    renderMode: fc.constantFrom('ansi', 'svg', null),
    observe: fc.boolean(),
  },
  { requiredKeys: [] },
);
/** The members of `params` that each method takes. */
const MEMBERS = {
  hello: [],
  make: ['id', 'kwargs', 'renderMode'],
  reset: ['env', 'seed', 'moves', 'observe'],
  step: ['env', 'action', 'observe'],
  last: ['env'],
  observe: ['env', 'agent'],
  render: ['env'],
  save: ['env'],
} as const;
const valid = fc.tuple(fc.constantFrom(...Object.entries(MEMBERS)), params).map(([[method, names], all]) => {
  const chosen = Object.entries(all).filter(([name]) => (names as readonly string[]).includes(name));
  return JSON.stringify({ id: 1, method, params: Object.fromEntries(chosen) });
});

fuzz('a line to env-server', {
  input: hostileTexts(valid, ALPHABET),
  runs: 300,
  law: (line) => {
    const defects: unknown[] = [];
    const serve = createEnvServer((error) => defects.push(error));
    serve('{"id": 1, "method": "make", "params": {"id": "gess/ConnectFour"}}');
    serve('{"id": 1, "method": "reset", "params": {"env": 1}}');
    const before = serve('{"id": 2, "method": "last", "params": {"env": 1}}');
    const answer = serve(line);
    assert.doesNotMatch(answer, /\n/);
    assert.deepEqual(defects, []);
    const { result, error } = JSON.parse(answer) as {
      readonly result?: unknown;
      readonly error?: { readonly code: string; readonly message: string };
    };
    if (error === undefined) {
      assert.ok(typeof result === 'object' && result !== null);
      return true;
    }
    assert.match(error.code, /^[a-z]+(-[a-z]+)*$/);
    assert.ok(error.message.length > 5 && error.message.length <= MAX_MESSAGE_LENGTH);
    assert.doesNotMatch(error.message, /[\p{Cc}\p{Cf}]/u);
    assert.equal(serve('{"id": 2, "method": "last", "params": {"env": 1}}'), before);
    return false;
  },
});
