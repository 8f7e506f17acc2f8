import assert from 'node:assert/strict';
import { type GameRecord, mainLine } from '../../../data/records/record.js';
import { checkVariations } from '../../../data/records/variations.js';
import { createGame } from '../../../env/games.js';
import { replayMoves } from '../../../env/replay/replay.js';

/** Records with more moves are not played, since other targets test moves. */
const MAX_PLAYED = 100;

/**
 * Whether the parser accepts the ply in a position's text, at most 65,535. A replay that begins near that limit exceeds
 * it.
 */
export function hasReadablePly(position: string): boolean {
  return Number(position.split(' ')[2] ?? 0) <= 65_535;
}

/** Checks that a record can be replayed with its variations, whether its moves are legal or not. */
export function checkPlayable(record: GameRecord): void {
  const game = createGame(record.game, record.rules);
  assert.equal(game.rules, record.rules);
  if (record.moves.length > MAX_PLAYED) return;
  for (const force of [false, true]) {
    const result = replayMoves(game, { ...mainLine(record), force });
    assert.equal(result.legal, result.illegalPly === null);
    assert.equal(result.reason === null, result.legal);
    if (hasReadablePly(result.position)) {
      assert.equal(game.formatPosition(game.parsePosition(result.position)), result.position);
    }
    assert.ok(checkVariations(game, record, force).tried >= 0);
  }
}
