import type { HeadColumns } from '../network/heads/target-columns.js';
import { headsOf, type ColumnsOf, type HeadName, type NamedHead } from '../network/heads/head-table.js';
import type { NetworkShape } from '../network/network-shape.js';
import { sizeOfShape } from '../../env/spaces/shape.js';

/** Samples for one step as flat arrays that are reused. Views and values are the mover's. */
export class TrainingBatch {
  readonly capacity: number;
  /** Elements of an observation, `O`. */
  readonly observationSize: number;
  /** Samples in the batch now. */
  size = 0;
  /** `[capacity, O]` */
  readonly observations: Float32Array;
  /** The targets of each head of the network, in the order of the heads. */
  readonly targets: ReadonlyMap<NamedHead, HeadColumns>;

  /** @param maxLegalActions greatest number of legal actions of a sample. */
  constructor(shape: NetworkShape, capacity: number, maxLegalActions: number) {
    this.capacity = capacity;
    this.observationSize = sizeOfShape(shape.observation);
    this.observations = new Float32Array(capacity * this.observationSize);
    this.targets = new Map(
      headsOf(shape.config).map((head) => [head, head.columns(shape, capacity, maxLegalActions)]),
    );
  }

  /** The targets of one of the network's heads. */
  columns<Name extends HeadName>(name: Name): ColumnsOf<Name> {
    for (const [head, columns] of this.targets) {
      if (head.name === name) return columns as ColumnsOf<Name>;
    }
    throw new RangeError(`expected a network with the head ${name}`);
  }
}
