import type { RowContent } from '../../../data/shards/shard-columns.js';
import type { ShardRows } from '../../../data/shards/shard-rows.js';
import { type Game, gameWithPlanes, type Player, type Symmetry } from '../../../env/game.js';
import { sizeOfShape } from '../../../env/spaces/shape.js';

/** A source of rows: a `ReplayWindow`. */
export interface RowSource {
  /** The shard that holds `row`. */
  shard(row: number): ShardRows;
  /** The index of `row` in its shard. */
  index(row: number): number;
}

/** A row of a shard, and the symmetry applied to it in a batch. */
export interface PlacedRow {
  readonly shard: ShardRows;
  readonly content: RowContent;
  readonly index: number;
  readonly symmetry: Symmetry;
  /** `[O]` the observation after the symmetry, as the network sees it. */
  readonly observation: Float32Array;
}

/** Observes packed positions of a game, without planes of moves. */
export class PositionObserver<State> {
  /** Planes of an observation. */
  readonly numPlanes: number;
  private readonly game: Game<State>;
  private readonly state: State;
  private readonly planes: Float32Array;

  constructor(game: Game<State>) {
    const plain = gameWithPlanes(game, false);
    this.game = plain;
    this.numPlanes = plain.observationShape[2];
    this.state = plain.initialState();
    this.planes = new Float32Array(sizeOfShape(plain.observationShape));
  }

  /** `[R, C, P]` the observation of `viewer`; overwritten by the next call. */
  observe(position: Uint8Array, viewer: Player): Float32Array {
    const { game, state, planes } = this;
    game.unpack(position, 0, state);
    game.observe(state, planes, 0, viewer);
    return planes;
  }
}
