import { expect } from 'vitest';
import type { Game } from '../../../env/game.js';
import { createGess } from '../../../env/gess/gess.js';
import { parseRules, type GessRules } from '../../../env/gess/gess-rules.js';
import type { Rng } from '../../../env/random.js';
import { replayMoves } from '../../../env/replay/replay.js';
import {
  packReference,
  readReference,
  type ReferenceMove,
  referenceMoves,
  referenceOutcome,
  type ReferencePosition,
  referenceRings,
  writeReference,
} from './gess-reference.js';

/** Counts of what was compared so far, all of it equal. */
export interface Tally {
  positions: number;
  /** Moves whose resulting boards and outcomes were compared: all legal moves of all positions. */
  moves: number;
  /** Moves forbidden only by the rule against repetition. */
  barred: number;
  /** Positions without a legal move though both sides have a ring. */
  stuck: number;
  longestGame: number;
}

/** Picks the next move of a game from the legal ones. */
export type Chooser = (choice: Choice, rng: Rng) => ReferenceMove;

/** The position and its legal moves, for picking the next move. */
export interface Choice {
  readonly position: ReferencePosition;
  readonly moves: readonly ReferenceMove[];
  /** The moves that do not end the game. */
  readonly lasting: readonly ReferenceMove[];
}

function pick<T>(items: readonly T[], rng: Rng): T {
  return items[rng.integer(items.length)]!;
}

function stoneCount({ board }: ReferencePosition): number {
  return board.stones('b').length + board.stones('w').length;
}

/** A move that does not end the game and rarely captures, so that games last. */
export const enduring: Chooser = ({ position, moves, lasting: going }, rng) => {
  if (going.length === 0) return pick(moves, rng);
  const quiet = going.filter(({ after }) => stoneCount(after) === stoneCount(position));
  return pick(quiet.length > 0 && rng.integer(8) > 0 ? quiet : going, rng);
};

/** As `lastingMove`, but sometimes any move. */
export const lasting: Chooser = (choice, rng) =>
  rng.integer(400) === 0 ? pick(choice.moves, rng) : enduring(choice, rng);

/** Often a move back, so that boards recur; avoids captures. */
export const shuffling: Chooser = ({ position, moves, lasting: going }, rng) => {
  const quiet = going.filter(({ after }) => stoneCount(after) === stoneCount(position));
  const earlier = position.before?.before?.board;
  const back = quiet.filter(({ after }) =>
    after.board.stones(position.player).every((square) => earlier?.has(square, position.player) === true),
  );
  if (back.length > 0 && rng.integer(3) > 0) return pick(back, rng);
  // One of the first few moves only, so that positions soon recur.
  return pick(quiet.length > 0 ? quiet.slice(0, 6) : going.length > 0 ? going : moves, rng);
};

/** Compares both engines under one set of rules. */
export class Comparison {
  private readonly tally: Tally;
  private readonly game: Game<unknown>;
  private readonly settings: GessRules;
  private readonly buffer: Int32Array;
  private readonly bytes: Uint8Array;

  /** Counts the comparisons in `tally`. */
  constructor(rules: string, tally: Tally) {
    this.tally = tally;
    this.game = createGess({ rules });
    this.settings = parseRules(rules);
    this.buffer = new Int32Array(this.game.maxLegalActions);
    this.bytes = new Uint8Array(this.game.packedSize);
  }

  /**
   * Plays a game of at most `plies` moves from `start` and compares all its positions and all their moves;
   * then the whole game as a record.
   */
  compareGame(start: string, plies: number, chooser: Chooser, rng: Rng): void {
    const state = this.game.parsePosition(start);
    let position = readReference(start);
    const played: string[] = [];
    const counts: number[] = [];
    for (;;) {
      const choice = this.comparePosition(state, position, () => `${start} ${played.join(' ')}`);
      counts.push(choice.moves.length);
      if (choice.moves.length === 0 || played.length === plies) break;
      const move = chooser(choice, rng);
      this.game.apply(state, move.action);
      position = move.after;
      played.push(move.text);
    }
    this.tally.longestGame = Math.max(this.tally.longestGame, played.length);
    expect(replayMoves(this.game, { moves: played.join(' '), position: start })).toEqual({
      legal: true,
      illegalPly: null,
      reason: null,
      outcome: { '1': 'black', '-1': 'white', null: null }[`${referenceOutcome(position, this.settings)}`],
      legalCounts: counts,
      rings: { black: referenceRings(position, 'b'), white: referenceRings(position, 'w') },
      position: writeReference(position),
    });
    while (this.game.historyLength(state) > 0) this.game.undo(state);
    expect(this.game.formatPosition(state)).toBe(start);
  }

  private comparePosition(state: unknown, position: ReferencePosition, where: () => string): Choice {
    const { game, settings, tally } = this;
    const { legal: moves, barred } = referenceMoves(position, settings);
    if (game.formatPosition(state) !== writeReference(position)) expect.fail(`another position: ${where()}`);
    const actions = moves.map(({ action }) => action).sort((a, b) => a - b);
    const list = this.buffer.subarray(0, game.legalActions(state, this.buffer));
    if (list.join() !== actions.join()) {
      const texts = (numbers: ArrayLike<number>): string[] =>
        Array.from(numbers, (n) => game.formatAction(n));
      expect(texts(list), where()).toEqual(texts(actions));
    }
    expect(game.countLegalActions(state), where()).toBe(actions.length);
    const outcome = referenceOutcome(position, settings);
    expect(game.outcome(state), where()).toBe(outcome);
    for (const { action } of barred) expect(game.isLegal(state, action), where()).toBe(false);
    const going = moves.filter((move) => this.compareMove(state, move, where));
    tally.positions += 1;
    tally.moves += moves.length;
    tally.barred += barred.length;
    if (outcome !== null && barred.length > 0) tally.stuck += 1;
    return { position, moves, lasting: going };
  }

  /** Whether the game continues after the move. */
  private compareMove(state: unknown, move: ReferenceMove, where: () => string): boolean {
    const { game, bytes } = this;
    if (!game.isLegal(state, move.action)) expect.fail(`${move.text} is said to be illegal: ${where()}`);
    const outcome = referenceOutcome(move.after, this.settings);
    game.apply(state, move.action);
    game.pack(state, bytes, 0);
    const same =
      game.outcome(state) === outcome &&
      Buffer.compare(bytes.subarray(0, 81), packReference(move.after)) === 0;
    if (!same) {
      const found = `${game.formatPosition(state)}, outcome ${game.outcome(state)}`;
      const expected = `${writeReference(move.after)}, outcome ${outcome}`;
      expect(found, `${move.text} after ${where()}`).toBe(expected);
    }
    game.undo(state);
    return outcome === null;
  }
}
