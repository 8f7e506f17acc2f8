import { EnvError } from '../errors.js';
import type { Game, Paint } from '../game.js';
import type { RenderMode } from './env-spec.js';
import type { EnvMetadata } from './environment.js';
import type { EnvSpec } from './env-spec.js';
import { terminalPaint, writeToTerminal } from './terminal.js';

/** Rendering options of an environment. */
export interface RenderOptions {
  readonly renderMode?: RenderMode | null | undefined;
  /** Writes the text of mode `human`: lines, each with a line end. Defaults to the terminal. */
  readonly write?: ((text: string) => void) | undefined;
  /**
   * Colours the text of modes `ansi` and `human`, such as `ansiPaint`. By default `ansi` has no colours, and
   * `human` uses them on a terminal that supports them.
   */
  readonly paint?: Paint | undefined;
}

/** The version at the end of an id. */
const VERSION = /-v\d+$/;

/** Renders positions in one mode. */
export class Renderer<State> {
  readonly mode: RenderMode | null;
  private readonly game: Game<State>;
  private readonly write: (text: string) => void;
  private readonly paint: Paint | undefined;

  /** @throws EnvError `kwargs` for a mode that the game does not have. */
  constructor(game: Game<State>, { renderMode, write, paint }: RenderOptions = {}) {
    this.game = game;
    this.mode = renderMode ?? null;
    this.write = write ?? writeToTerminal;
    this.paint = this.mode === 'human' && write === undefined ? (paint ?? terminalPaint()) : paint;
    if (this.mode === 'svg' && game.renderSvg === undefined) {
      throw new EnvError('kwargs', `expected render mode 'ansi' or 'human': ${game.id} draws no SVG`);
    }
  }

  /** The metadata of an environment with this renderer. */
  metadata(spec: EnvSpec | null): EnvMetadata {
    const renderModes: RenderMode[] = ['ansi', 'human'];
    if (this.game.renderSvg !== undefined) renderModes.push('svg');
    return { name: spec === null ? this.game.id : spec.id.replace(VERSION, ''), renderModes };
  }

  /** Writes the position in mode `human`. Environments call it after every reset and step. */
  show(state: State): void {
    if (this.mode === 'human') this.write(`${this.text(state)}\n\n`);
  }

  /** The text or SVG of the position; null in mode `human`, and without a mode. */
  render(state: State): string | null {
    if (this.mode === 'ansi') return this.text(state);
    return this.mode === 'svg' ? (this.game.renderSvg?.(state) ?? null) : null;
  }

  private text(state: State): string {
    return this.game.render(state, { paint: this.paint });
  }
}
