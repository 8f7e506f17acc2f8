import type { Action, Game } from '../../env/game.js';
import { edgeOfAction, NO_EDGE } from './best-edge.js';
import { NO_NODE, ROOT, type SearchTree } from './search-tree.js';

/** The position that was searched last, to find the node of the next position in its tree. */
export class LastRoot<State> {
  private readonly game: Game<State>;
  private hash = 0;
  private readonly history: Action[] = [];

  constructor(game: Game<State>) {
    this.game = game;
  }

  /** Makes `state` the last root. */
  note(state: State): void {
    const { game, history } = this;
    this.hash = game.observationHash(state);
    history.length = 0;
    for (let i = 0; i < game.historyLength(state); i++) history.push(game.historyAction(state, i));
  }

  /** The node of `state` in the tree of the last root, or `NO_NODE` if it does not follow from it or has none. */
  nodeOf(state: State, tree: SearchTree): number {
    if (!this.leadsTo(state)) return NO_NODE;
    const { game, history } = this;
    let node = ROOT;
    for (let i = history.length; i < game.historyLength(state); i++) {
      const edge = edgeOfAction(tree, node, game.historyAction(state, i));
      node = edge === NO_EDGE ? NO_NODE : tree.children[edge]!;
      if (node === NO_NODE) return NO_NODE;
    }
    return node;
  }

  /** Whether `state` follows from the last root by zero or more moves. */
  private leadsTo(state: State): boolean {
    const { game, history } = this;
    const steps = game.historyLength(state) - history.length;
    if (steps < 0) return false;
    if (history.some((action, index) => action !== game.historyAction(state, index))) return false;
    // Equal histories may start at different positions. Moves are undone on a copy: undoing returns the time spent, and
    // replaying would not spend it again.
    const earlier = game.clone(state);
    for (let step = 0; step < steps; step++) game.undo(earlier);
    return game.observationHash(earlier) === this.hash;
  }
}
