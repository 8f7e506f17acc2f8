import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createGame, GAME_IDS } from '../../env/games.js';
import { createReplayAnswerer } from '../../env/replay/replay-requests.js';
import { MAX_MESSAGE_LENGTH } from '../../env/text/quoted-text.js';
import { fuzz } from './fuzz.js';
import { FUZZED_GAMES, moveLists } from './fuzzed-games.js';
import { hasReadablePly } from './record-laws.js';
import { hostileTexts } from './hostile-texts.js';

const CODES = [
  ...['request-syntax', 'game-unknown', 'rules-unknown', 'action-syntax'],
  ...['position-syntax', 'position-size', 'position-turn'],
];
const ALPHABET = [
  ...['{', '}', '[', ']', ',', ':', '"', 'null', 'true', 'false', '1', '""', '\\u0000', '\\ud800', ' '],
  ...[
    '"game":',
    '"rules":',
    '"moves":',
    '"position":',
    '"force":true',
    '"gess"',
    '"quess"',
    '"connect-four"',
  ],
  ...[
    'f6-f7 ',
    'F2-D3 ',
    '3 ',
    'a1-s19 ',
    't20-b2 ',
    '"eureka,ko=superko"',
    '"standard,clock=180"',
    ' 180 180',
  ],
];

const valid = fc.constantFrom(...FUZZED_GAMES).chain(({ id, games, positions }) =>
  fc
    .record({
      game: fc.constant(id),
      rules: fc.constantFrom(...games.keys()),
      moves: moveLists(id),
      position: fc.option(positions, { nil: undefined, freq: 3 }),
      force: fc.constantFrom(undefined, true, false),
    })
    .map((request) => JSON.stringify(request)),
);

/** The answer says what became of the game: its rules are not in the answer, so any of the ids may be meant. */
function checkResult(answer: Readonly<Record<string, unknown>>): void {
  const { legal, illegalPly, reason, legalCounts, position } = answer;
  assert.equal(legal, illegalPly === null);
  assert.equal(legal, reason === null);
  assert.ok(
    Array.isArray(legalCounts) && legalCounts.every((count) => Number.isInteger(count) && count >= 0),
  );
  assert.ok(typeof position === 'string');
  if (!hasReadablePly(position)) return;
  const rules = GAME_IDS.flatMap((id) =>
    id === 'quess'
      ? [
          [id, 'standard'],
          [id, 'standard,clock=86400'],
        ]
      : [[id]],
  );
  const readable = rules.some(([id, text]) => {
    const game = createGame(id!, text);
    try {
      return game.formatPosition(game.parsePosition(position)) === position;
    } catch {
      return false;
    }
  });
  assert.ok(readable, position);
}

const answer = createReplayAnswerer();

fuzz('a line of replay --batch', {
  input: hostileTexts(valid, ALPHABET),
  runs: 400,
  law: (line) => {
    const text = answer(line);
    assert.doesNotMatch(text, /\n/);
    // Earlier lines have no effect.
    assert.equal(createReplayAnswerer()(line), text);
    const parsed = JSON.parse(text) as Readonly<Record<string, unknown>>;
    if (parsed['error'] === undefined) {
      checkResult(parsed);
      return true;
    }
    const { code, message } = parsed['error'] as { readonly code: string; readonly message: string };
    assert.ok(CODES.includes(code), code);
    assert.ok(message.length > 10 && message.length <= MAX_MESSAGE_LENGTH);
    return false;
  },
});
