import type { SearchJob } from '../../agents/thinking/search-job.js';
import { parseAgentSpec } from '../../agents/agent-spec.js';
import { CodedError } from '../../env/errors.js';
import { type Action, type Game, listActions } from '../../env/game.js';
import { createGame } from '../../env/games.js';
import { nameOutcome, positionAfter } from '../../env/replay/replay.js';
import { defaultAgent } from '../../training/export/shipped-models.js';
import { loadedGameModules } from '../../training/games/game-module.js';
import { softwareVersion } from '../../training/software-version.js';
import { type EngineCommand, parseEngineCommand } from './engine-commands.js';
import { EngineError } from './engine-error.js';
import { infoLines } from './engine-lines.js';
import { changeOption, type EngineSettings, optionLines } from './engine-options.js';
import { knownLimits } from './known-limits.js';
import type { SearchPlayer } from './search-messages.js';
import { SearchSession } from './search-session.js';

/** The answer to `go` where there is no move. */
const NO_MOVE = 'bestmove none';

type Go = Extract<EngineCommand, { name: 'go' }>;
type Position = Extract<EngineCommand, { name: 'position' }>;

type FollowedCommand = Exclude<EngineCommand, { name: 'quit' }>;

/**
 * An engine behind the text protocol of docs/reference/engine.md: reads lines of input, and writes lines of output. It
 * answers an invalid line with `info string error`, and changes nothing.
 */
export class Engine {
  private readonly write: (line: string) => void;
  private settings: EngineSettings;
  private game: Game<unknown>;
  private state: unknown;
  private position: Position = { name: 'position', position: undefined, moves: '' };
  private readonly session: SearchSession;
  /** `isready` commands that wait for the player. */
  private readyWaiting = 0;
  /** The running search, or one that waits for the player to load. */
  private search: Go | undefined;
  /** Whether the search should end as soon as possible. */
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
    parseAgentSpec(this.agent);
    this.session = new SearchSession({
      onReady: () => {
        this.releaseReady();
      },
      onThought: (thought, milliseconds) => {
        for (const line of infoLines(this.game, thought, milliseconds)) this.write(line);
      },
      onMove: (action) => {
        this.finishSearch(action);
      },
      onFailure: (code, message) => {
        this.fail(code, message);
      },
    });
  }

  /**
   * Executes a line of input.
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

  /** Reports an error as a line of output. Rethrows errors that the input did not cause. */
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
    await this.session.close();
  }

  private get agent(): string {
    return this.settings.agent ?? defaultAgent(this.game);
  }

  private get player(): SearchPlayer {
    const { game, settings } = this;
    return {
      game: game.id,
      rules: game.rules,
      agent: this.agent,
      seed: settings.seed,
      gameModules: loadedGameModules(),
    };
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
    this.readyWaiting += 1;
    this.session.prepare(this.player);
  }

  private setOption(name: string, value: string): void {
    const settings = changeOption(this.settings, name, value);
    const game = createGame(settings.game, settings.rules);
    const isOther = game.id !== this.game.id || game.rules !== this.game.rules;
    this.settings = settings;
    if (!isOther) return;
    this.game = game;
    this.newGame();
  }

  private newGame(): void {
    this.state = this.game.initialState();
    this.position = { name: 'position', position: undefined, moves: '' };
    this.session.newGame();
  }

  private go(command: Go): void {
    if (this.game.countLegalActions(this.state) === 0) {
      this.write(`info string the game is over: ${nameOutcome(this.game, this.state) ?? 'no result'}`);
      this.write(NO_MOVE);
      return;
    }
    const { limits, infinite } = command;
    const job: SearchJob = {
      position: this.position.position,
      moves: this.position.moves,
      limits: infinite ? {} : knownLimits(this.agent, limits),
      lines: this.settings.multiPv,
    };
    this.search = command;
    this.isStopped = false;
    this.session.start(this.player, { job, anyMove: this.anyMove() });
  }

  private anyMove(): Action {
    return listActions(this.game, this.state)[0]!;
  }

  private stop(): void {
    this.isStopped = true;
    if (this.heldAnswer === undefined) this.session.stop();
    else this.endSearch(this.heldAnswer);
  }

  private finishSearch(action: Action): void {
    const answer = `bestmove ${this.game.formatAction(action)}`;
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

  /** The player could not be loaded, or failed during a search; the next command tries again. */
  private fail(code: string, message: string): void {
    this.write(errorLine(code, message));
    this.releaseReady();
    if (this.search !== undefined) this.endSearch(NO_MOVE);
  }
}

/** An error as one line, even if the message has several. */
function errorLine(code: string, message: string): string {
  return `info string error [${code}] ${message.replaceAll(/\s+/g, ' ')}`;
}
