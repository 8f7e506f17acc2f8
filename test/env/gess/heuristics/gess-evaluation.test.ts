import { NO_ACTION } from '../../../../env/game.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { drawCarefulAction } from '../../../../agents/immediate/careful-agent.js';
import { createAgent } from '../../../../agents/create-agent.js';
import { MAX_EVALUATION, MAX_PROMISE } from '../../../../env/definition/evaluation.js';
import { keepGains, stonesWon } from '../../../../env/gess/heuristics/gess-captures.js';
import { GessEvaluation } from '../../../../env/gess/heuristics/gess-evaluation.js';
import { TERM_NAMES, type TermName } from '../../../../env/gess/heuristics/gess-terms.js';
import { GESS_WEIGHTS } from '../../../../env/gess/heuristics/gess-weights.js';
import { createGess } from '../../../../env/gess/gess.js';
import type { GessPosition } from '../../../../env/gess/gess-position.js';
import { createRng } from '../../../../env/random.js';

const gess = createGess({ rules: 'eureka' });

/** A position with the rings of the start, on l3 and l18, and the given stones: `d10 d11`. */
function board(black: string, white = '', player = 'b'): GessPosition {
  const ring = (rank: number): string =>
    [-1, 0, 1].flatMap((row) => ['k', 'l', 'm'].map((file) => `${file}${rank + row}`)).join(' ');
  const stones = (list: string, rank: number): ReadonlySet<string> =>
    new Set(`${ring(rank)} ${list}`.split(' ').filter((square) => square !== `l${rank}`));
  const [first, second] = [stones(black, 3), stones(white, 18)];
  const rows = Array.from({ length: 18 }, (_, row) =>
    Array.from('bcdefghijklmnopqrs', (file) => {
      const square = `${file}${19 - row}`;
      return first.has(square) ? 'b' : second.has(square) ? 'w' : '.';
    })
      .join('')
      .replaceAll(/\.+/g, (run) => String(run.length)),
  );
  return gess.parsePosition(`${rows.join('/')} ${player} ${player === 'b' ? 0 : 1}`);
}

/** The evaluation with a single term, of weight 1. */
function judge(term: TermName, position: GessPosition): number {
  const none = Object.fromEntries(TERM_NAMES.map((name) => [name, 0])) as Record<TermName, number>;
  return new GessEvaluation('eureka', { ...none, [term]: 1 }).evaluate(position);
}

/** An unfinished position after careful random moves. */
function somewhere(seed: number, plies: number): GessPosition {
  const rng = createRng(seed, 'somewhere');
  const state = gess.initialState();
  for (let i = 0; i < plies; i++) {
    gess.apply(state, drawCarefulAction(gess, state, rng));
    if (gess.outcome(state) === null) continue;
    gess.undo(state);
    break;
  }
  return state;
}

describe('each term of the evaluation of Gess counts its subject', () => {
  test.each<[TermName, string, GessPosition, number]>([
    ['stones', 'one stone more', board('d10'), 1],
    ['stones', 'the opponent’s count against it', board('d10', 'h13 q13'), -1],
    ['longPieces', 'a stone alone goes nowhere from its own square', board('d10'), 0],
    ['longPieces', 'two stones side by side, each the centre of a piece', board('d10 d11'), 2],
    ['longRays', 'each of the two gives the other its direction', board('d10 d11'), 2],
    ['longRays', 'three in a row: two directions for the one between', board('d10 d11 d12'), 4],
    ['shortRays', 'a stone gives each of eight empty squares around a direction', board('d10'), 8],
    ['spareRing', 'a second ring', board('c10 d10 e10 c11 e11 c12 d12 e12'), 1],
    ['shield', 'a stone three squares from the ring', board('n6'), 1],
    ['shield', 'a stone four squares away', board('l7'), 0],
    ['advance', 'three ranks past the middle of the board', board('d13'), 3],
    ['advance', 'on the own half', board('d10'), 0],
    ['escape', 'a stone in front of the ring, in the way of its third step', board('l6'), -1],
    ['attacking', 'l10-l16 breaks the ring on l18', board('l10 l11'), 1],
    ['attacked', 'the same for White to move', board('l10 l11', '', 'w'), 1],
    ['attacking', 'nothing yet for White', board('l10 l11', '', 'w'), 0],
  ])('%s: %s', (term, _what, position, expected) => {
    expect(judge(term, position)).toBe(expected);
  });

  test('exposure: stones around a ring close the lines to it', () => {
    const open = judge('exposure', board(''));
    expect(open).toBe(0);
    const closed = judge('exposure', board('l6'));
    expect(closed).toBeLessThan(0);
    expect(judge('exposure', board('i6 l6 o6'))).toBeLessThan(closed);
  });
});

/** The board turned upside down with colours exchanged and the other player to move. */
function turned(position: GessPosition): GessPosition {
  const [rows = '', player, ply = ''] = gess.formatPosition(position).split(' ');
  const swapped = rows.replaceAll(/[bw]/g, (stone) => (stone === 'b' ? 'w' : 'b'));
  const other = player === 'b' ? 'w' : 'b';
  return gess.parsePosition(`${swapped.split('/').reverse().join('/')} ${other} ${ply}`);
}

/** Legal moves that end the game in the mover's favour. */
function winsOf(position: GessPosition): number[] {
  const win = position.player === 0 ? 1 : -1;
  const actions = new Int32Array(gess.maxLegalActions);
  return [...actions.subarray(0, gess.legalActions(position, actions))].filter((action) => {
    gess.apply(position, action);
    const { outcome } = position;
    gess.undo(position);
    return outcome === win;
  });
}

function countStones(rows: Int32Array): number {
  return rows.reduce((sum, row) => sum + row.toString(2).replaceAll('0', '').length, 0);
}

const positions = fc.tuple(fc.nat(1e6), fc.nat(80)).map(([seed, plies]) => somewhere(seed, plies));

describe('the evaluation of Gess', () => {
  const evaluation = new GessEvaluation('eureka');

  test('is the same for both sides, whatever was evaluated before', () => {
    fc.assert(
      fc.property(positions, (position) => {
        const value = evaluation.evaluate(position);
        expect(Number.isInteger(value) && Math.abs(value) < MAX_EVALUATION).toBe(true);
        expect(evaluation.evaluate(turned(position))).toBe(value);
        expect(new GessEvaluation('eureka').evaluate(position)).toBe(value);
      }),
    );
  });

  test('is the weighted sum of its terms', () => {
    fc.assert(
      fc.property(positions, (position) => {
        const terms = evaluation.termsOf(position);
        const sum = TERM_NAMES.reduce((value, name) => value + terms[name] * GESS_WEIGHTS[name], 0);
        expect(evaluation.evaluate(position)).toBe(Math.round(sum) + 0);
      }),
    );
  });

  test('finds immediate wins, and threats of them', () => {
    fc.assert(
      fc.property(positions, (position) => {
        const wins = winsOf(position);
        const action = evaluation.winningAction(position);
        expect(wins.length === 0 ? action === NO_ACTION : wins.includes(action)).toBe(true);
        const isThreatened = evaluation.isThreatened(position);
        evaluation.pass(position);
        expect(isThreatened).toBe(winsOf(position).length > 0);
        evaluation.unpass(position);
      }),
    );
  });

  test('captures are the moves that win stones, with the stated gain', () => {
    fc.assert(
      fc.property(positions, (position) => {
        const { player } = position;
        const actions = new Int32Array(gess.maxLegalActions);
        const balance = (): number =>
          countStones(position.stones[player]) - countStones(position.stones[player === 0 ? 1 : 0]);
        const before = balance();
        const takers: number[] = [];
        for (const action of actions.subarray(0, gess.legalActions(position, actions))) {
          const won = stonesWon(position, action);
          const promise = evaluation.promise(position, action);
          expect(Number.isInteger(promise) && promise >= 0 && promise <= MAX_PROMISE).toBe(true);
          gess.apply(position, action);
          if (won !== 0) expect(balance() - before).toBe(won);
          gess.undo(position);
          if (won > 0) takers.push(action);
        }
        const captures = actions.subarray(0, evaluation.captures(position, actions));
        expect([...captures].sort((a, b) => a - b)).toEqual(takers);
        const gains = Array.from(captures, (action) => evaluation.gainOf(position, action));
        expect(gains).toEqual([...gains].sort((a, b) => b - a));
        expect(gains.every((gain) => gain >= GESS_WEIGHTS.stones)).toBe(true);
      }),
    );
  });

  test('has two sets of weights with different values', async () => {
    const position = somewhere(3, 20);
    const values = await Promise.all(
      ['', ',weights=fitted', ',weights=guessed'].map(async (weights) => {
        const agent = await createAgent(`alphabeta:depth=1${weights}`, gess);
        const [choice] = await agent.chooseAll([{ state: position, rng: createRng(1) }]);
        return choice!.statistics!['evaluation'];
      }),
    );
    expect(values[1]).toBe(values[0]);
    expect(values[2]).not.toBe(values[0]);
  });

  test('keeps only captures of enough stones', () => {
    const position = board('d10 d11', 'd16 e16');
    const actions = new Int32Array(gess.maxLegalActions);
    const count = gess.legalActions(position, actions);
    expect(keepGains(position, actions, count, 3)).toBe(0);
  });
});
