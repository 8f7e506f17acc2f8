import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { mainLine } from '../../data/records/record.js';
import { readJsonRecord, writeJsonRecord } from '../../data/records/record-json.js';
import { readSgf } from '../../data/records/sgf-reading.js';
import { writeSgf } from '../../data/records/sgf-writing.js';
import { checkVariations } from '../../data/records/variations.js';
import { type Game, listActions } from '../../env/game.js';
import { createGame } from '../../env/games.js';
import { parseMoves, replayMoves } from '../../env/replay/replay.js';
import { PUBLISHED_GAME, PUBLISHED_ILLEGAL_PLY } from '../env/gess/published-game.js';

const text = readFileSync(
  join(resolve(import.meta.dirname, '../..'), 'examples/records/eureka-53.sgf'),
  'utf8',
);
const record = readSgf(text);
const gess = createGame('gess', record.rules);

/** The position after some plies of the game, legal or not. */
function after(plies: number): unknown {
  const state = gess.initialState();
  for (const action of parseMoves(gess, PUBLISHED_GAME).slice(0, plies)) gess.apply(state, action);
  return state;
}

function winsOf(game: Game<unknown>, state: unknown): string[] {
  const win = game.currentPlayer(state) === 0 ? 1 : -1;
  return Array.from(listActions(game, state))
    .filter((action) => {
      game.apply(state, action);
      const outcome = game.outcome(state);
      game.undo(state);
      return outcome === win;
    })
    .map((action) => game.formatAction(action));
}

/** Moves that do not lose at once and leave the opponent none that wins at once. */
function savingMoves(state: unknown): string[] {
  return Array.from(listActions(gess, state))
    .filter((action) => {
      gess.apply(state, action);
      const isSafe = gess.outcome(state) === null && winsOf(gess, state).length === 0;
      gess.undo(state);
      return isSafe;
    })
    .map((action) => gess.formatAction(action));
}

/** Winning moves of the player who has just moved, if the opponent passed. */
function threatsAt(state: unknown): string[] {
  const [board, player, ply] = gess.formatPosition(state).split(' ');
  return winsOf(gess, gess.parsePosition(`${board!} ${player === 'b' ? 'w' : 'b'} ${ply!}`));
}

describe('the published game', () => {
  test('has the moves that were published', () => {
    expect(mainLine(record).moves).toBe(PUBLISHED_GAME.trim().split(/\s+/).join(' '));
  });

  test('is reproduced byte for byte, also through JSON', () => {
    expect(writeSgf(record)).toBe(text);
    expect(writeSgf(readJsonRecord(writeJsonRecord(record)))).toBe(text);
  });

  test.each(['eureka', 'wikipedia', 'wikipedia,edge=strict', 'gach', 'sgf', 'osu'])(
    'by the rules %s is legal up to 13... c17-c7 and, that played, after it',
    (rules) => {
      const game = createGame('gess', rules);
      const stopped = replayMoves(game, mainLine(record));
      expect(stopped).toMatchObject({ legal: false, illegalPly: PUBLISHED_ILLEGAL_PLY, outcome: null });
      expect(stopped.legalCounts).toHaveLength(PUBLISHED_ILLEGAL_PLY + 1);
      const forced = replayMoves(game, { ...mainLine(record), force: true });
      expect(forced).toMatchObject({ illegalPly: PUBLISHED_ILLEGAL_PLY, outcome: null });
      expect(forced.legalCounts).toHaveLength(37);
    },
  );

  test('has one variation, c17-c8, and it is legal', () => {
    expect(record.moves[PUBLISHED_ILLEGAL_PLY]).toMatchObject({
      properties: { KO: [''] },
      variations: [[{ move: 'c17-c8' }]],
    });
    expect(checkVariations(gess, record, false)).toEqual({ tried: 1, illegal: [] });
  });

  test('ends in mate', () => {
    const state = after(36);
    expect([listActions(gess, state).length, savingMoves(state)]).toEqual([255, []]);
    const lost = Array.from(listActions(gess, state)).filter((action) => {
      gess.apply(state, action);
      const outcome = gess.outcome(state);
      gess.undo(state);
      return outcome === -1;
    });
    expect(lost).toHaveLength(83);
    gess.apply(state, gess.parseAction('m3-l3'));
    expect(winsOf(gess, state)).toContain('k6-k5');
  });

  test.each([
    [20, ['r14-i5'], 18],
    [26, ['b7-e4'], 4],
    [29, ['m3-m16', 'i13-l16'], 6],
    [30, ['k15-k5', 'l15-l5'], 14],
    [32, ['e3-h3', 'e4-h1'], 6],
  ])('after %d plies threatens %j, and %d moves meet that', (plies, threats, saving) => {
    const state = after(plies);
    expect(threatsAt(state).sort()).toEqual([...threats].sort());
    expect(savingMoves(state)).toHaveLength(saving);
  });

  test.each([
    [5, ['g3', 'l3'], ['l18']],
    [14, ['g3', 'l3'], ['l18', 'n18']],
    [16, ['g3', 'l3'], ['n18']],
    [17, ['g3'], ['n18']],
    [27, ['j3', 'l3'], ['n18']],
    [31, ['j3'], ['n18']],
    [36, ['m3'], ['n18']],
  ])('has after %d plies the rings %j and %j', (plies, black, white) => {
    expect(gess.describe!(after(plies))).toEqual({ rings: { black, white } });
  });

  test('White’s only move at 15 that leaves Black without a ring breaks White’s own too', () => {
    const state = after(29);
    const breaking = Array.from(listActions(gess, state)).filter((action) => {
      gess.apply(state, action);
      const { rings } = gess.describe!(state) as { rings: { black: string[] } };
      gess.undo(state);
      return rings.black.length === 0;
    });
    expect(breaking.map((action) => gess.formatAction(action))).toEqual(['l18-l5']);
    gess.apply(state, breaking[0]!);
    expect(gess.outcome(state)).toBe(1);
  });
});
