import type { Game, Player, Symmetry } from '../../env/game.js';
import type { Rng } from '../../env/random.js';
import { NO_RESULT, type ShardColumns } from '../../data/shard-columns.js';
import type { TrainingBatch } from './training-batch.js';

/** Where rows come from: a `ReplayWindow`. */
export interface RowSource {
  /** The columns that hold `row`. */
  shard(row: number): ShardColumns;
  /** Where `row` lies in them. */
  index(row: number): number;
}

/**
 * Writes the probabilities of win, draw and loss to learn to `out[offset …]`, mover's view, and returns the
 * row's weight: 0 where nothing is known.
 *
 * The result of the game and the value of the search are mixed; where one is missing, the other counts alone.
 * A value `q` stands for a win with probability `(1 + q) / 2`, else a loss: a search tells no draws. A
 * truncated game has no result, which is not a draw.
 *
 * @param target `result` is 1, 0, -1 or `NO_RESULT`; `rootValue` is in [-1, 1], or NaN where nothing searched.
 * @param valueMix weight of the search's value in [0, 1].
 */
export function writeOutcomeTarget(
  target: { readonly result: number; readonly rootValue: number },
  valueMix: number,
  out: Float32Array,
  offset: number,
): number {
  const { result, rootValue } = target;
  out.fill(0, offset, offset + 3);
  const hasResult = result !== NO_RESULT;
  const hasValue = !Number.isNaN(rootValue);
  if (!hasResult && !hasValue) {
    // A row that is no distribution would not be zero in the gradient's arithmetic.
    out[offset + 1] = 1;
    return 0;
  }
  const ofValue = !hasResult ? 1 : hasValue ? valueMix : 0;
  if (hasResult) out[offset + 1 - result] = 1 - ofValue;
  if (hasValue) {
    out[offset]! += (ofValue * (1 + rootValue)) / 2;
    out[offset + 2]! += (ofValue * (1 - rootValue)) / 2;
  }
  return 1;
}

/** Makes batches for the learner from rows of shards: unpacks, observes, turns the board. */
export class BatchPreparation<State> {
  private readonly game: Game<State>;
  private readonly valueMix: number;
  /** Overwritten by every row. */
  private readonly state: State;
  private readonly scratch: Float32Array;

  constructor(game: Game<State>, valueMix: number) {
    const [rows, columns, planes] = game.observationShape;
    this.game = game;
    this.valueMix = valueMix;
    this.state = game.initialState();
    this.scratch = new Float32Array(rows * columns * planes);
  }

  /**
   * Fills `batch` with `rows`, at most its capacity.
   *
   * @param rng draws a symmetry of the board for each row, planes and policy alike; null leaves them.
   */
  fill(batch: TrainingBatch, source: RowSource, rows: Uint32Array, rng: Rng | null): void {
    let longest = 0;
    for (const row of rows) {
      const { actionStart } = source.shard(row);
      const index = source.index(row);
      longest = Math.max(longest, actionStart[index + 1]! - actionStart[index]!);
    }
    batch.reset(rows.length, longest);
    const { symmetries } = this.game;
    for (let i = 0; i < rows.length; i++) {
      const symmetry = symmetries[rng === null ? 0 : rng.integer(symmetries.length)]!;
      const columns = source.shard(rows[i]!);
      const index = source.index(rows[i]!);
      this.writeObservation(batch, i, columns.positions, { index, symmetry });
      this.writePolicy(batch, i, columns, { index, symmetry });
      const target = { result: columns.results[index]!, rootValue: columns.rootValues[index]! };
      batch.outcomeWeights[i] = writeOutcomeTarget(target, this.valueMix, batch.outcomes, i * 3);
    }
  }

  private writeObservation(
    batch: TrainingBatch,
    row: number,
    positions: Uint8Array,
    { index, symmetry }: { readonly index: number; readonly symmetry: Symmetry },
  ): void {
    const { game, state, scratch } = this;
    const start = row * batch.observationSize;
    game.unpack(positions, index * game.packedSize, state);
    if (symmetry === game.symmetries[0]) {
      game.observe(state, batch.observations, start);
      return;
    }
    game.observe(state, scratch, 0);
    const planes = game.observationShape[2];
    const { squares } = symmetry;
    for (let square = 0, from = 0; square < squares.length; square++) {
      let to = start + squares[square]! * planes;
      for (const end = from + planes; from < end; from++, to++) batch.observations[to] = scratch[from]!;
    }
  }

  private writePolicy(
    batch: TrainingBatch,
    row: number,
    columns: ShardColumns,
    { index, symmetry }: { readonly index: number; readonly symmetry: Symmetry },
  ): void {
    const { game } = this;
    const { policyIndices } = symmetry;
    const player: Player = columns.players[index] === 0 ? 0 : 1;
    const from = columns.actionStart[index]!;
    const count = columns.actionStart[index + 1]! - from;
    const to = row * batch.width;
    for (let i = 0; i < count; i++) {
      batch.legal[to + i] = policyIndices[game.policyIndex(player, columns.actions[from + i]!)]!;
      batch.policy[to + i] = columns.policies[from + i]!;
      batch.padding[to + i] = 0;
    }
    batch.policyWeights[row] = columns.policyWeights[index]!;
  }
}
