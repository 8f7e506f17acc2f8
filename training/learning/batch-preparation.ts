import type { Game, Symmetry } from '../../env/game.js';
import type { Rng } from '../../env/random.js';
import { sizeOfShape } from '../../env/spaces/shape.js';
import { turnPlanes } from '../../env/definition/turned-planes.js';
import type { LearnerConfig } from '../config/groups/learner-config.js';
import type { TargetWriter } from '../network/heads/head.js';
import type { NamedHead } from '../network/heads/head-table.js';
import type { RowSource } from '../network/heads/placed-row.js';
import { learntSymmetries } from './drawn-symmetries.js';
import type { TrainingBatch } from './training-batch.js';

/** Prepares the learner's batches from rows of shards: unpacks positions, writes observations, applies symmetries. */
export class BatchPreparation<State> {
  private readonly game: Game<State>;
  private readonly config: LearnerConfig;
  private readonly symmetries: readonly Symmetry[];
  private readonly writers = new Map<NamedHead, TargetWriter>();
  /** Overwritten by every row. */
  private readonly state: State;
  private readonly scratch: Float32Array;

  constructor(game: Game<State>, config: LearnerConfig) {
    this.game = game;
    this.config = config;
    this.symmetries = learntSymmetries(game, config.symmetries);
    this.state = game.initialState();
    this.scratch = new Float32Array(sizeOfShape(game.observationShape));
  }

  /**
   * Fills `batch` with `rows`, at most its capacity.
   *
   * @param rng samples one of the configured symmetries for each row, for planes and targets alike; null: no symmetry
   *   is applied.
   */
  fill(batch: TrainingBatch, source: RowSource, rows: Uint32Array, rng: Rng | null): void {
    const { symmetries } = this;
    const targets = Array.from(batch.targets, ([head, columns]) => ({ writer: this.writer(head), columns }));
    batch.size = rows.length;
    for (const { writer, columns } of targets) writer.begin?.(columns, source, rows);
    for (let row = 0; row < rows.length; row++) {
      const symmetry = symmetries[rng === null ? 0 : rng.integer(symmetries.length)]!;
      const shard = source.shard(rows[row]!);
      const index = source.index(rows[row]!);
      const content = shard.content(index);
      const start = row * batch.observationSize;
      const observation = batch.observations.subarray(start, start + batch.observationSize);
      this.observe(content.position, symmetry, observation);
      const placed = { shard, content, index, symmetry, observation };
      for (const { writer, columns } of targets) writer.write(columns, row, placed);
    }
  }

  private writer(head: NamedHead): TargetWriter {
    const known = this.writers.get(head) ?? head.targets(this.game, this.config);
    this.writers.set(head, known);
    return known;
  }

  /** Writes the mover's observation of a packed position, transformed, to `out`. */
  private observe(position: Uint8Array, symmetry: Symmetry, out: Float32Array): void {
    const { game, state, scratch } = this;
    game.unpack(position, 0, state);
    if (symmetry === game.symmetries[0]) {
      game.observe(state, out, 0);
      return;
    }
    game.observe(state, scratch, 0);
    turnPlanes(symmetry, scratch, out);
  }
}
