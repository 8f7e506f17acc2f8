import type { Action } from '../../env/game.js';
import { GameTree, ROOT_NODE } from '../../session/game-tree.js';
import type { Settings } from '../settings/settings.svelte.js';
import type { Table } from './rules/board-rules.js';
import { EntryState } from './entry-state.svelte.js';
import { type PositionView, viewPosition } from './position-view.js';

/** Options of a trial. */
export interface TrialOptions {
  /** Text of the position; a change begins a new trial. */
  readonly position: () => string;
  /** Whether moves can be entered in this position of the trial. */
  readonly isOpen: (view: PositionView) => boolean;
  readonly settings: Settings;
  /** Called after each move that was entered. */
  readonly onMove?: (action: Action) => void;
}

/** A position on which moves are tried, of a lesson or a problem. */
export class Trial {
  readonly entry: EntryState;
  private readonly table: Table;
  private readonly options: TrialOptions;
  private version = $state(0);

  constructor(table: Table, options: TrialOptions) {
    this.table = table;
    this.options = options;
    this.entry = new EntryState({
      view: () => this.view,
      isOpen: () => this.isOpen,
      needsConfirm: () => options.settings.needsConfirm(table.board.columns),
      zooms: () => options.settings.values.zooms,
      onMove: (action) => {
        this.play(action);
        options.onMove?.(action);
      },
    });
  }

  private readonly tree: GameTree = $derived.by(() => new GameTree(this.table.game, this.options.position()));

  /** The current position. */
  readonly view: PositionView = $derived.by(() => {
    this.version;
    return viewPosition(this.table, this.tree);
  });

  /** Whether moves can be entered. */
  get isOpen(): boolean {
    return this.options.isOpen(this.view);
  }

  /** Whether no move was made. */
  get isUntouched(): boolean {
    return this.view.node === ROOT_NODE;
  }

  /** Makes a legal move. */
  play(action: Action): void {
    this.tree.play(action);
    this.version += 1;
  }

  /** Returns to the first position. */
  again(): void {
    this.tree.goTo(ROOT_NODE);
    this.version += 1;
  }
}
