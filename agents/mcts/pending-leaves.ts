/** Leaves of one search that wait for their evaluations, first in, first out: a ring of flat arrays. */
export class PendingLeaves {
  /** Number of leaves that wait now. */
  count = 0;
  /** The leaf taken out last: the edge that leads to it, the node that owns the edge, and its own node or `NO_NODE`. */
  owner = 0;
  edge = 0;
  node = 0;
  private readonly capacity: number;
  private readonly owners: Int32Array;
  private readonly edges: Int32Array;
  private readonly nodes: Int32Array;
  private first = 0;

  constructor(capacity: number) {
    this.capacity = capacity;
    this.owners = new Int32Array(capacity);
    this.edges = new Int32Array(capacity);
    this.nodes = new Int32Array(capacity);
  }

  get isFull(): boolean {
    return this.count === this.capacity;
  }

  clear(): void {
    this.first = 0;
    this.count = 0;
  }

  /** Adds a leaf; there must be room. */
  add(owner: number, edge: number, node: number): void {
    const slot = (this.first + this.count) % this.capacity;
    this.count += 1;
    this.owners[slot] = owner;
    this.edges[slot] = edge;
    this.nodes[slot] = node;
  }

  /** Takes out the leaf that has waited longest, to `owner`, `edge` and `node`; one must wait. */
  take(): void {
    const slot = this.first;
    this.first = (slot + 1) % this.capacity;
    this.count -= 1;
    this.owner = this.owners[slot]!;
    this.edge = this.edges[slot]!;
    this.node = this.nodes[slot]!;
  }
}
