import type { Action, Game } from '../env/game.js';
import { firstState } from '../env/replay/replay.js';

/** Index of a node of a `GameTree`; `ROOT_NODE` is the first position. */
export type NodeId = number;

/** The node of the first position. */
export const ROOT_NODE: NodeId = 0;

/** The move that leads to a node, and what was noted there. */
export interface TreeMove {
  readonly action: Action;
  /** Seconds that the player took, 0 or more. */
  readonly seconds: number;
}

interface TreeNode {
  readonly parent: NodeId | null;
  /** Moves from the root. */
  readonly depth: number;
  readonly move: TreeMove | null;
  /** The main line first, then the variations in the order in which they were added. */
  readonly children: NodeId[];
  comment: string;
}

/**
 * A game with its variations, and the position at one of its nodes, for a person who plays, takes back and steps
 * through moves at a board. Nodes are numbered in the order in which they were added; the number of a removed node is
 * not used again.
 */
export class GameTree<State = unknown> {
  readonly game: Game<State>;
  /** Text of the first position. */
  readonly start: string;
  private readonly nodes: TreeNode[] = [];
  private here: NodeId = ROOT_NODE;
  private readonly position: State;

  /**
   * @param start text of the first position; by default the game's own.
   * @throws NotationError `position-*`.
   */
  constructor(game: Game<State>, start?: string) {
    this.game = game;
    this.position = firstState(game, start);
    this.start = game.formatPosition(this.position);
    this.nodes.push({ parent: null, depth: 0, move: null, children: [], comment: '' });
  }

  /** The position at the current node, with the moves to it as its history. Not to be changed. */
  get state(): State {
    return this.position;
  }

  /** The current node. */
  get current(): NodeId {
    return this.here;
  }

  /** Number of nodes, the root included. */
  get size(): number {
    return this.nodes.length;
  }

  /** The node before `node`; null for the root. */
  parentOf(node: NodeId): NodeId | null {
    return this.nodes[node]!.parent;
  }

  /** The moves after `node`, that of the main line first. */
  childrenOf(node: NodeId): readonly NodeId[] {
    return this.nodes[node]!.children;
  }

  /** The move that leads to `node`; null for the root. */
  moveOf(node: NodeId): TreeMove | null {
    return this.nodes[node]!.move;
  }

  /** The comment on the position at `node`; empty if there is none. */
  commentOf(node: NodeId): string {
    return this.nodes[node]!.comment;
  }

  /** Sets the comment on the position at `node`. */
  setComment(node: NodeId, comment: string): void {
    this.nodes[node]!.comment = comment;
  }

  /**
   * Plays a move at the current node and makes its node the current one. A move that already exists is not added again.
   *
   * @param action legal, or one that the game can force.
   * @param seconds taken off the clock of the player to move, in games with clocks.
   */
  play(action: Action, seconds = 0): NodeId {
    const known = this.childrenOf(this.here).find((child) => this.moveOf(child)?.action === action);
    const node = known ?? this.add(this.here, { action, seconds });
    this.enter(node);
    return node;
  }

  /** Makes `node` the current one, in a time that grows with the moves between the two. */
  goTo(node: NodeId): void {
    const ahead: NodeId[] = [];
    for (let goal = node; goal !== this.here;) {
      if (this.nodes[goal]!.depth > this.nodes[this.here]!.depth) {
        ahead.push(goal);
        goal = this.parentOf(goal)!;
      } else this.leave();
    }
    for (const next of ahead.reverse()) this.enter(next);
  }

  /** The nodes from the root to `node`, both included. */
  pathTo(node: NodeId): readonly NodeId[] {
    const path: NodeId[] = [];
    for (let at: NodeId | null = node; at !== null; at = this.parentOf(at)) path.push(at);
    return path.reverse();
  }

  /** The nodes from the root through `node` to the end of its main line. */
  lineThrough(node: NodeId): readonly NodeId[] {
    const line = [...this.pathTo(node)];
    for (let next = this.childrenOf(node)[0]; next !== undefined; next = this.childrenOf(next)[0]) {
      line.push(next);
    }
    return line;
  }

  /** The moves from the root to `node`. */
  actionsTo(node: NodeId): readonly Action[] {
    return this.pathTo(node).flatMap((at) => this.moveOf(at)?.action ?? []);
  }

  /** Removes `node` and what follows it; the current node must not be among them. Other nodes keep their numbers. */
  remove(node: NodeId): void {
    const parent = this.parentOf(node);
    if (parent === null) return;
    const siblings = this.nodes[parent]!.children;
    siblings.splice(siblings.indexOf(node), 1);
  }

  private add(parent: NodeId, move: TreeMove): NodeId {
    const node = this.nodes.length;
    this.nodes.push({ parent, depth: this.nodes[parent]!.depth + 1, move, children: [], comment: '' });
    this.nodes[parent]!.children.push(node);
    return node;
  }

  private enter(node: NodeId): void {
    const { action, seconds } = this.moveOf(node)!;
    if (seconds > 0) this.game.spendTime?.(this.position, seconds);
    this.game.apply(this.position, action);
    this.here = node;
  }

  private leave(): void {
    this.game.undo(this.position);
    this.here = this.parentOf(this.here)!;
  }
}
