import assert from 'node:assert/strict';
import { createGame, GAME_IDS } from '../../../env/games.js';
import { createReplayAnswerer } from '../../../env/replay/replay-requests.js';
import { MAX_MESSAGE_LENGTH } from '../../../env/text/quoted-text.js';
import { fuzz } from '../fuzz.js';
import { hasReadablePly } from '../records/record-laws.js';
import { hostileTexts } from '../hostile-texts.js';
import { REPLAY_WORDS, replayRequests } from './replay-request-texts.js';

const CODES = [
  ...['request-syntax', 'game-unknown', 'rules-unknown', 'action-syntax'],
  ...['position-syntax', 'position-size', 'position-turn'],
];
/** Checks an answer about a game. The answer does not contain the rules, so any of the ids may be meant. */
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
  input: hostileTexts(replayRequests, REPLAY_WORDS),
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
