import assert from 'node:assert/strict';
import { MAX_MESSAGE_LENGTH } from '../../../env/text/quoted-text.js';
import { createEnvServer } from '../../../scripts/env-server/server.js';
import { fuzz } from '../fuzz.js';
import { hostileTexts } from '../hostile-texts.js';
import { ENV_WORDS, envRequests } from './env-request-texts.js';

fuzz('a line to env-server', {
  input: hostileTexts(envRequests, ENV_WORDS),
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
