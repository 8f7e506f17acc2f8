import { CodedError } from '../../env/errors.js';
import { COMMAND_ACTIONS } from './command-actions.js';
import { helpLines } from './help-text.js';
import { type Entry, parseEntry } from './move-entry.js';
import type { PlayTable } from './play-table.js';

/**
 * Executes the lines that people enter at a table, one after another; lines entered during a search wait for its end.
 */
export class Prompt {
  /** Whether `quit` was entered. */
  hasQuit = false;
  private readonly table: PlayTable;
  private readonly lines: string[] = [];
  private working: Promise<void> | undefined;

  constructor(table: PlayTable) {
    this.table = table;
  }

  /** The waiting lines. */
  get waiting(): readonly string[] {
    return this.lines;
  }

  /** Lets the opponent move if it begins. */
  async begin(): Promise<void> {
    await this.work(() => this.table.letAgentMove());
  }

  /**
   * Executes a line.
   *
   * @returns a promise that resolves once it and all lines before it have been executed.
   */
  async receive(line: string): Promise<void> {
    const { table } = this;
    const entry = this.read(line);
    const isQuit = entry.kind === 'command' && entry.name === 'quit';
    const stops = entry.kind === 'empty' || (entry.kind === 'command' && entry.name === 'stop');
    if (isQuit) this.hasQuit = true;
    else if (table.thinking !== undefined && entry.kind === 'command' && entry.name === 'help') {
      table.view.tell(helpLines(table.game));
    } else if (!stops) this.lines.push(line);
    // An analysis runs until it is stopped.
    if (isQuit || stops || table.thinking?.purpose === 'analysis') table.stop();
    if (isQuit) return;
    await this.work(() => undefined);
  }

  private read(line: string): Entry {
    const { game, session, chosen } = this.table;
    return parseEntry({ game, state: session.state, chosen }, line);
  }

  /** Runs `first`, then executes the waiting lines; if that is in progress already, waits for its end. */
  private async work(first: () => Promise<void> | undefined): Promise<void> {
    this.working ??= (async () => {
      await this.guard(async () => first());
      for (let line = this.lines.shift(); line !== undefined && !this.hasQuit; line = this.lines.shift()) {
        const entry = this.read(line);
        await this.guard(async () => this.follow(entry));
      }
      this.working = undefined;
    })();
    await this.working;
  }

  private async follow(entry: Entry): Promise<void> {
    const { table } = this;
    switch (entry.kind) {
      case 'empty':
        break;
      case 'move':
        if (table.session.isOver) table.view.tell(['the game is over; undo reopens it, new begins another']);
        else await table.play(entry.action);
        break;
      case 'piece':
        table.chosen = entry.square;
        table.view.update();
        table.view.tell([`${entry.square}: now type its destination`]);
        break;
      case 'problem':
        table.view.tell([entry.message]);
        break;
      case 'command':
        if (entry.name !== 'quit' && entry.name !== 'stop') {
          await COMMAND_ACTIONS[entry.name](table, entry.argument);
        }
    }
  }

  /** Shows errors of the input, which change nothing. */
  private async guard(action: () => Promise<void>): Promise<void> {
    try {
      await action();
    } catch (error) {
      if (!(error instanceof CodedError)) throw error;
      this.table.view.tell([`${error.message} [${String(error.code)}]`]);
    }
  }
}
