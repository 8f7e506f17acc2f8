import { type Game, NO_ACTION, type Player, type Symmetry } from '../../env/game.js';
import type { Rng } from '../../env/random.js';
import { turnPlanes } from '../../env/turned-planes.js';
import { NO_RESULT } from '../../data/shards/column-table.js';
import { playerOf, type RowContent, type SmallColumns } from '../../data/shards/shard-columns.js';
import type { ShardRows } from '../../data/shards/shard-rows.js';
import type { LearnerConfig } from '../config/learner-config.js';
import { MOVES_LEFT_UNIT } from '../network/network.js';
import { nextRow, shortTermValue, writeReply } from './later-targets.js';
import type { MergedTarget, MergedTargets } from './merged-targets.js';
import { writeOutcomeTarget } from './outcome-target.js';
import { writePolicyTarget } from './policy-target.js';
import { learntSymmetries } from './drawn-symmetries.js';
import type { TrainingBatch } from './training-batch.js';

/** Where rows come from: a `ReplayWindow`. */
export interface RowSource {
  /** The shard that holds `row`. */
  shard(row: number): ShardRows;
  /** Where `row` lies in it. */
  index(row: number): number;
}

/** Plies to the end of the game; a truncated one has none. */
function writeMovesLeft(batch: TrainingBatch, row: number, columns: SmallColumns, index: number): void {
  batch.movesLeft[row] = columns.pliesLeft[index]! / MOVES_LEFT_UNIT;
  batch.movesLeftWeights[row] = columns.results[index] === NO_RESULT ? 0 : 1;
}

/** What decides the targets. */
export type PreparationConfig = Pick<
  LearnerConfig,
  'valueMix' | 'ringPlies' | 'shortTermPlies' | 'symmetries'
>;

/** The most legal moves of the positions after `rows`. */
function longestReply(source: RowSource, rows: Uint32Array): number {
  let longest = 0;
  for (const row of rows) {
    const { columns } = source.shard(row);
    const next = nextRow(columns, source.index(row));
    if (next !== null)
      longest = Math.max(longest, columns.actionStart[next + 1]! - columns.actionStart[next]!);
  }
  return longest;
}

/** A row of a shard, and how its board is turned. */
interface PlacedRow {
  readonly shard: ShardRows;
  readonly content: RowContent;
  readonly index: number;
  readonly symmetry: Symmetry;
}

/** Makes batches for the learner from rows of shards: unpacks, observes, turns the board. */
export class BatchPreparation<State> {
  private readonly game: Game<State>;
  private readonly config: PreparationConfig;
  private readonly symmetries: readonly Symmetry[];
  private readonly merged: MergedTargets | null;
  /** Overwritten by every row. */
  private readonly state: State;
  private readonly scratch: Float32Array;

  /** @param merged what to learn from rows that are equal to others; null: each row's own policy and value. */
  constructor(game: Game<State>, config: PreparationConfig, merged: MergedTargets | null = null) {
    const [rows, columns, planes] = game.observationShape;
    this.game = game;
    this.config = config;
    this.symmetries = learntSymmetries(game, config.symmetries);
    this.merged = merged;
    this.state = game.initialState();
    this.scratch = new Float32Array(rows * columns * planes);
  }

  /**
   * Fills `batch` with `rows`, at most its capacity.
   *
   * @param rng draws one of the configured symmetries for each row, planes and policy alike; null leaves rows as they are.
   */
  fill(batch: TrainingBatch, source: RowSource, rows: Uint32Array, rng: Rng | null): void {
    let longest = 0;
    for (const row of rows) {
      const { actionStart } = source.shard(row).columns;
      const index = source.index(row);
      longest = Math.max(longest, actionStart[index + 1]! - actionStart[index]!);
    }
    batch.reset(rows.length, longest);
    batch.reply?.reset(rows.length, longestReply(source, rows));
    const { symmetries } = this;
    for (let i = 0; i < rows.length; i++) {
      const symmetry = symmetries[rng === null ? 0 : rng.integer(symmetries.length)]!;
      const shard = source.shard(rows[i]!);
      const { columns } = shard;
      const index = source.index(rows[i]!);
      const at = { shard, index, symmetry, content: shard.content(index) };
      this.writeObservation(batch, i, at);
      const merged = this.merged?.of(rows[i]!) ?? null;
      this.writePolicy(batch, i, at, merged);
      this.writeOutcome(batch, i, at, merged);
      if (batch.movesLeft.length > 0) writeMovesLeft(batch, i, columns, index);
      if (batch.holders.length > 0) this.writeHolders(batch, i, at);
      if (batch.rings.length > 0) this.writeRings(batch, i, at);
      if (batch.reply !== null) writeReply(this.game, batch.reply, { row: i, ...at });
      if (batch.shortTerm.length > 0) this.writeShortTerm(batch, i, at);
    }
  }

  private writeOutcome(batch: TrainingBatch, row: number, at: PlacedRow, merged: MergedTarget | null): void {
    if (merged !== null) {
      batch.outcomes.set(merged.outcome, row * 3);
      batch.outcomeWeights[row] = merged.outcomeWeight;
      return;
    }
    const { columns } = at.shard;
    const target = { result: columns.results[at.index]!, rootValue: columns.rootValues[at.index]! };
    batch.outcomeWeights[row] = writeOutcomeTarget(target, this.config.valueMix, batch.outcomes, row * 3);
  }

  /** The value that searches see some plies later, as the mover's chance to win. */
  private writeShortTerm(batch: TrainingBatch, row: number, { shard, index }: PlacedRow): void {
    const value = shortTermValue(shard.columns, index, this.config.shortTermPlies);
    const isKnown = !Number.isNaN(value);
    batch.shortTerm[row] = isKnown ? (1 + value) / 2 : 0.5;
    batch.shortTermWeights[row] = isKnown ? 1 : 0;
  }

  /** Who holds each square of the game's last position; nothing is known of a truncated game. */
  private writeHolders(batch: TrainingBatch, row: number, at: PlacedRow): void {
    const { game, scratch } = this;
    const { index, symmetry } = at;
    const { columns } = at.shard;
    const isKnown = columns.played[index] !== NO_ACTION && columns.results[index] !== NO_RESULT;
    batch.holdersWeights[row] = isKnown ? 1 : 0;
    const planes = game.observationShape[2];
    const size = scratch.length / planes;
    const out = batch.holders.subarray(row * size * 3, (row + 1) * size * 3).fill(0);
    if (isKnown) this.observe(at.content.finalPosition, playerOf(columns, index));
    const { own, opponent } = this.game.encoding.holders;
    for (let square = 0; square < size; square++) {
      const holds = (plane: number): boolean => isKnown && scratch[square * planes + plane]! > 0;
      const holder = own.some(holds) ? 0 : opponent.some(holds) ? 1 : 2;
      out[symmetry.squares[square]! * 3 + holder] = 1;
    }
  }

  /**
   * Which of the rings there are now are still where they were `ringPlies` later, or when the game ended before. Reads
   * the position then from a later row of the same game, where there is one.
   */
  private writeRings(batch: TrainingBatch, row: number, at: PlacedRow): void {
    const { game, scratch } = this;
    const { symmetry } = at;
    const planes = game.observationShape[2];
    const size = scratch.length / planes;
    const targets = batch.rings.subarray(row * size * 2, (row + 1) * size * 2).fill(0);
    const weights = batch.ringsWeights.subarray(row * size * 2, (row + 1) * size * 2).fill(0);
    if (!this.observeLater(at)) return;
    const { own, opponent } = this.game.encoding.rings!;
    const start = row * batch.observationSize;
    let squares = 0;
    for (let square = 0; square < size; square++) {
      const to = symmetry.squares[square]!;
      for (const [side, plane] of [own, opponent].entries()) {
        if (batch.observations[start + to * planes + plane] === 0) continue;
        weights[to * 2 + side] = 1;
        targets[to * 2 + side] = scratch[square * planes + plane]! > 0 ? 1 : 0;
        squares += 1;
      }
    }
    if (squares === 0) return;
    for (let i = 0; i < weights.length; i++) weights[i]! /= squares;
  }

  /** Writes what the mover of row `index` sees `ringPlies` later to `scratch`; false where that is not known. */
  private observeLater({ shard, index, content }: PlacedRow): boolean {
    const { columns } = shard;
    const { ringPlies } = this.config;
    const later = index + ringPlies;
    const player = playerOf(columns, index);
    const isSameGame = later < columns.rows && columns.gameIds[later] === columns.gameIds[index];
    if (isSameGame && columns.plies[later] === columns.plies[index]! + ringPlies) {
      this.observe(shard.content(later).position, player);
      return true;
    }
    const isOver = columns.pliesLeft[index]! <= ringPlies && columns.results[index] !== NO_RESULT;
    if (!isOver || columns.played[index] === NO_ACTION) return false;
    this.observe(content.finalPosition, player);
    return true;
  }

  /** Writes what `viewer` sees of a packed position to `scratch`. */
  private observe(position: Uint8Array, viewer: Player): void {
    const { game, state, scratch } = this;
    game.unpack(position, 0, state);
    game.observe(state, scratch, 0, viewer);
  }

  private writeObservation(batch: TrainingBatch, row: number, { content, symmetry }: PlacedRow): void {
    const { game, state, scratch } = this;
    const start = row * batch.observationSize;
    game.unpack(content.position, 0, state);
    if (symmetry === game.symmetries[0]) {
      game.observe(state, batch.observations, start);
      return;
    }
    game.observe(state, scratch, 0);
    turnPlanes(symmetry, scratch, batch.observations.subarray(start, start + batch.observationSize));
  }

  private writePolicy(
    batch: TrainingBatch,
    row: number,
    { shard, index, content, symmetry }: PlacedRow,
    merged: MergedTarget | null,
  ): void {
    const { columns } = shard;
    const place = { row, player: playerOf(columns, index), symmetry };
    const policy = merged?.policy ?? content.policy;
    writePolicyTarget(this.game, batch, place, { actions: content.actions, policy });
    batch.policyWeights[row] = merged?.policyWeight ?? columns.policyWeights[index]!;
  }
}
