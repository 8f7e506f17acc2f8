import type { Action, Player } from '../../../env/game.js';
import { GameTree } from '../../../session/game-tree.js';
import { type PositionView, viewPosition } from '../../board/position-view.js';
import { createTable } from '../../board/rules/tables.js';
import type { Laboratory } from './laboratory.svelte.js';

/** Simulations of a generation that searches. */
export const SIMULATIONS = 64;

/** A game of a person against a generation. */
export class GenerationGame {
  readonly table = createTable('connect-four');
  generation = $state(0);
  /** Whether the generation searches, or plays what its network prefers. */
  searches = $state(false);
  person = $state<Player>(0);
  isThinking = $state(false);
  private readonly laboratory: Laboratory;
  private tree = $state.raw(new GameTree(this.table.game));
  private version = $state(0);

  constructor(laboratory: Laboratory) {
    this.laboratory = laboratory;
  }

  readonly view: PositionView = $derived.by(() => {
    this.version;
    return viewPosition(this.table, this.tree);
  });

  /** Whether the person is to move. */
  readonly isOpen: boolean = $derived.by(
    () =>
      this.view.outcome === null &&
      this.view.player === this.person &&
      this.laboratory.status !== 'failed' &&
      this.laboratory.generations.length > this.generation,
  );

  /** Begins another game, against a generation. */
  begin(generation: number): void {
    this.generation = generation;
    this.tree = new GameTree(this.table.game);
    this.version += 1;
    void this.answer();
  }

  /** Plays a legal move of the person. */
  play(action: Action): void {
    this.tree.play(action);
    this.version += 1;
    void this.answer();
  }

  private async answer(): Promise<void> {
    const { tree, view, generation } = this;
    this.isThinking = view.outcome === null && view.player !== this.person;
    if (!this.isThinking) return;
    const asked = this.version;
    const actions = tree.actionsTo(tree.current);
    const action = await this.laboratory.choose(generation, actions, this.searches ? SIMULATIONS : 0);
    if (asked !== this.version) return;
    this.isThinking = false;
    if (action === null) return;
    tree.play(action);
    this.version += 1;
  }
}
