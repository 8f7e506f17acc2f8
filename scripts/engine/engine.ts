import type { Thought } from '../../agents/thinking/thinking.js';
import { CodedError } from '../../env/errors.js';
import type { Game } from '../../env/game.js';
import { createGame } from '../../env/games.js';
import { nameOutcome, positionAfter } from '../../env/replay/replay.js';
import { defaultAgent } from '../../training/export/shipped-models.js';
import { loadedGameModules } from '../../training/games/game-module.js';
import { softwareVersion } from '../../training/software-version.js';
import { type EngineCommand, parseEngineCommand } from './engine-commands.js';
import { EngineError } from './engine-error.js';
import { infoLines } from './engine-lines.js';
import { changeOption, type EngineSettings, optionLines } from './engine-options.js';
import type { SearchReport } from './search-messages.js';
import { SearchThread } from './search-thread.js';

/** The answer to `go` where there is no move. */
const NO_MOVE = 'bestmove none';

type Go = Extract<EngineCommand, { name: 'go' }>;
type Position = Extract<EngineCommand, { name: 'position' }>;

type FollowedCommand = Exclude<EngineCommand, { name: 'quit' }>;

/**
 * An engine behind the text protocol of docs/engine.md: takes lines of input, and answers by lines of output. A line that
 * it cannot follow is answered by `info string error`, and changes nothing.
 */
export class Engine {
  private readonly write: (line: string) => void;
  private settings: EngineSettings;
  private game: Game<unknown>;
  private state: unknown;
  private position: Position = { name: 'position', position: undefined, moves: '' };
  private thread: SearchThread | undefined;
  /** Whether the thread has the player of the settings, or is loading it. */
  private player: 'none' | 'loading' | 'loaded' = 'none';
  /** `isready` commands that wait for the player. */
  private readyWaiting = 0;
  /** The search that runs or waits for the player. */
  private search: Go | undefined;
  /** Whether it should end as soon as possible. */
  private isStopped = false;
  /** The answer of an infinite search that ended before `stop`. */
  private heldAnswer: string | undefined;
  private onIdle: (() => void) | undefined;

  /**
   * @param write receives each line of output.
   * @throws NotationError for the game, AgentError for the agent's text.
   */
  constructor(settings: EngineSettings, write: (line: string) => void) {
    this.write = write;
    this.settings = settings;
    this.game = createGame(settings.game, settings.rules);
    this.state = this.game.initialState();
  }

  /**
   * Follows a line of input.
   *
   * @returns false after `quit`.
   */
  receive(line: string): boolean {
    if (line.trim() === '') return true;
    try {
      const command = parseEngineCommand(line);
      if (command.name === 'quit') return false;
      this.follow(command);
    } catch (error) {
      this.reportError(error);
    }
    return true;
  }

  /** Reports an error as a line of output. Rethrows what is not the input's fault. */
  reportError(error: unknown): void {
    if (!(error instanceof CodedError)) throw error;
    this.write(errorLine(String(error.code), error.message));
  }

  /**
   * Waits for the answers that are due. An infinite search is stopped.
   *
   * @param stops whether to stop any search.
   */
  async finish(stops: boolean): Promise<void> {
    if (stops || this.search?.infinite === true) this.stop();
    if (this.search === undefined && this.readyWaiting === 0) return;
    await new Promise<void>((resolve) => {
      this.onIdle = resolve;
    });
  }

  /** Ends the search thread. */
  async close(): Promise<void> {
    const { thread } = this;
    this.thread = undefined;
    await thread?.close();
  }

  private get agent(): string {
    return this.settings.agent ?? defaultAgent(this.game);
  }

  private follow(command: FollowedCommand): void {
    switch (command.name) {
      case 'uci':
        this.introduce();
        break;
      case 'isready':
        this.answerReady();
        break;
      case 'stop':
        this.stop();
        break;
      case 'd':
        this.write(this.game.render(this.state));
        break;
      case 'setoption':
        this.expectIdle('setoption');
        this.setOption(command.option, command.value);
        break;
      case 'ucinewgame':
        this.expectIdle('ucinewgame');
        this.newGame();
        break;
      case 'position':
        this.expectIdle('position');
        this.state = positionAfter(this.game, command);
        this.position = command;
        break;
      case 'go':
        this.expectIdle('go');
        this.go(command);
    }
  }

  /** @throws EngineError `engine-busy`. */
  private expectIdle(name: string): void {
    if (this.search === undefined) return;
    throw new EngineError('engine-busy', `expected '${name}' after the search has ended: send 'stop' first`);
  }

  private introduce(): void {
    this.write(`id name gess-zero ${softwareVersion()}`);
    this.write('id author the gess-zero authors');
    for (const line of optionLines(this.settings, this.agent)) this.write(line);
    this.write('uciok');
  }

  private answerReady(): void {
    if (this.player === 'loaded') {
      this.write('readyok');
      return;
    }
    this.readyWaiting += 1;
    this.load();
  }

  private setOption(name: string, value: string): void {
    const settings = changeOption(this.settings, name, value);
    const game = createGame(settings.game, settings.rules);
    const isOther = game.id !== this.game.id || game.rules !== this.game.rules;
    this.settings = settings;
    if (isOther) {
      this.game = game;
      this.newGame();
    }
    if (name.toLowerCase() !== 'multipv') this.player = 'none';
  }

  private newGame(): void {
    this.state = this.game.initialState();
    this.position = { name: 'position', position: undefined, moves: '' };
    this.thread?.newGame();
  }

  private go(command: Go): void {
    if (this.game.countLegalActions(this.state) === 0) {
      this.write(`info string the game is over: ${nameOutcome(this.game, this.state) ?? 'no result'}`);
      this.write(NO_MOVE);
      return;
    }
    this.search = command;
    this.isStopped = false;
    if (this.player === 'loaded') this.startSearch();
    else this.load();
  }

  private stop(): void {
    if (this.heldAnswer !== undefined) this.endSearch(this.heldAnswer);
    else {
      this.isStopped = true;
      this.thread?.stop();
    }
  }

  private load(): void {
    if (this.player === 'loading') return;
    this.player = 'loading';
    this.thread ??= new SearchThread((report) => {
      this.receiveReport(report);
    });
    const { game, settings } = this;
    this.thread.load({
      game: game.id,
      rules: game.rules,
      agent: this.agent,
      seed: settings.seed,
      gameModules: loadedGameModules(),
    });
  }

  private startSearch(): void {
    const { limits, infinite } = this.search!;
    const isLimited = Object.keys(limits).length > 0;
    this.thread!.search({
      position: this.position.position,
      moves: this.position.moves,
      limits: infinite || isLimited ? limits : undefined,
      lines: this.settings.multiPv,
    });
    // `stop` came while the player was loaded.
    if (this.isStopped) this.thread!.stop();
  }

  private receiveReport(report: SearchReport): void {
    switch (report.kind) {
      case 'loaded':
        this.player = 'loaded';
        this.releaseReady();
        if (this.search !== undefined) this.startSearch();
        break;
      case 'thought':
        this.writeThought(report.thought, report.milliseconds);
        break;
      case 'done':
        this.finishSearch(report.thought, report.milliseconds);
        break;
      case 'failed':
        this.fail(report.code, report.message);
    }
  }

  private writeThought(thought: Thought, milliseconds: number): void {
    for (const line of infoLines(this.game, thought, milliseconds)) this.write(line);
  }

  private finishSearch(thought: Thought, milliseconds: number): void {
    this.writeThought(thought, milliseconds);
    const answer = `bestmove ${this.game.formatAction(thought.candidates[0]!.action)}`;
    if (this.search!.infinite && !this.isStopped) this.heldAnswer = answer;
    else this.endSearch(answer);
  }

  private endSearch(answer: string): void {
    this.write(answer);
    this.search = undefined;
    this.heldAnswer = undefined;
    this.onIdle?.();
  }

  private releaseReady(): void {
    for (; this.readyWaiting > 0; this.readyWaiting--) this.write('readyok');
    if (this.search === undefined) this.onIdle?.();
  }

  /** The thread could not load the player, or failed during a search: the next command starts another thread. */
  private fail(code: string, message: string): void {
    void this.close();
    this.player = 'none';
    this.write(errorLine(code, message));
    this.releaseReady();
    if (this.search !== undefined) this.endSearch(NO_MOVE);
  }
}

/** One line, whatever the message has. */
function errorLine(code: string, message: string): string {
  return `info string error [${code}] ${message.replaceAll(/\s+/g, ' ')}`;
}
