import type { Agent, Choice, Turn } from '../../../agents/agent.js';
import { type EngineOptions, formatAgentSpec } from '../../../agents/agent-spec.js';
import type { Thinker, ThinkingLimits, ThinkingOptions, Thought } from '../../../agents/thinking/thinking.js';
import type { Action, Game } from '../../../env/game.js';
import type { Rng } from '../../../env/random.js';
import { quote } from '../../../env/text/quoted-text.js';
import { TrainingError } from '../../training-error.js';
import { actionOf, InfoLines } from './engine-info.js';
import { EngineProcess, firstWord } from './engine-process.js';
import { MAX_SEED } from './engine-limits.js';

/** Time between two checks of the request to stop. */
const STOP_CHECK_MS = 10;
/** Time between two reported thoughts. */
const REPORT_MS = 250;

/** Limits by the words of `go`. */
const GO_WORDS = {
  depth: 'depth',
  nodes: 'nodes',
  simulations: 'simulations',
  timeMs: 'movetime',
} as const satisfies Record<keyof ThinkingLimits, string>;

function goLine(limits: ThinkingLimits, isInfinite: boolean): string {
  const words = Object.entries(GO_WORDS).flatMap(([name, word]) => {
    const limit = limits[name as keyof ThinkingLimits];
    return limit === undefined ? [] : [word, String(Math.max(1, Math.round(limit)))];
  });
  return ['go', ...(isInfinite ? ['infinite'] : words)].join(' ');
}

/** `position start moves …`, or with the text of the first position if it is not the game's initial one. */
function positionLine<State>(game: Game<State>, state: State): string {
  const start = game.clone(state);
  const moves: string[] = [];
  for (let index = 0; index < game.historyLength(state); index++) {
    moves.push(game.formatAction(game.historyAction(state, index)));
    game.undo(start);
  }
  const text = game.formatPosition(start);
  const from = text === game.formatPosition(game.initialState()) ? 'start' : text;
  return ['position', from, ...(moves.length === 0 ? [] : ['moves', ...moves])].join(' ');
}

/** The declared options of an engine: each line by the option's name in lower case. */
function declaredOptions(lines: readonly string[]): ReadonlyMap<string, string> {
  const options = new Map<string, string>();
  for (const line of lines) {
    const name = /^\s*option name (.+?) type /.exec(line)?.[1];
    if (name !== undefined) options.set(name.toLowerCase(), line);
  }
  return options;
}

/**
 * An agent in another program, which speaks the engine protocol (docs/reference/engine.md). A program that has ended,
 * or that had to be killed, is started again for the next game.
 */
export class ForeignEngine<State> implements Agent<State>, Thinker<State> {
  readonly name: string;
  readonly game: Game<State>;
  readonly limits: ThinkingLimits;
  readonly playsOneGame = true;
  private readonly options: EngineOptions;
  private process: EngineProcess;
  private declared: ReadonlyMap<string, string> = new Map();
  /** The state of the game that the engine plays. */
  private current: State | undefined;
  private lines = 1;
  /** Random stream of a game that `newGame` has announced. */
  private rng: Rng | undefined;

  private constructor(options: EngineOptions, game: Game<State>) {
    const { depth, nodes, simulations, timeMs } = options;
    this.name = formatAgentSpec({ kind: 'engine', options });
    this.game = game;
    this.limits = { depth, nodes, simulations, timeMs };
    this.options = options;
    this.process = new EngineProcess(options.cmd);
  }

  /**
   * Starts the program.
   *
   * @throws TrainingError `engine-start` if it does not follow the protocol or does not play the game.
   */
  static async open<State>(options: EngineOptions, game: Game<State>): Promise<ForeignEngine<State>> {
    const engine = new ForeignEngine(options, game);
    await engine.start();
    return engine;
  }

  /**
   * Announces the game of the first turn, if it is a new one, to a program that is started again if it has ended.
   *
   * @throws TrainingError `engine-silent`, `engine-ended`, and `engine-start` if it cannot be started again.
   */
  async prepare([turn]: readonly Turn<State>[]): Promise<void> {
    if (turn === undefined || turn.state === this.current) return;
    // A program that has ended during a game loses it; it is started again for the next one.
    await this.begin(turn.rng);
    this.current = turn.state;
  }

  /**
   * Runs one search for each turn. An engine plays one game at a time: with turns of several games, it forgets its
   * memory of the others each time.
   *
   * @throws TrainingError `engine-silent`, `engine-ended`, `engine-illegal`, and `engine-start` if it ended and cannot
   *   be started again.
   */
  async chooseAll(turns: readonly Turn<State>[]): Promise<readonly Choice[]> {
    const choices: Choice[] = [];
    for (const turn of turns) {
      await this.prepare([turn]);
      const thought = await this.search(turn.state, {
        limits: this.limits,
        shouldStop: () => false,
      });
      const { action, value, principalVariation } = thought.candidates[0]!;
      choices.push({ action, principalVariation, ...(value !== undefined && { value }) });
    }
    return choices;
  }

  newGame(rng: Rng): void {
    this.rng = rng;
    this.current = undefined;
  }

  async think(state: State, options: ThinkingOptions): Promise<Thought> {
    if (this.rng !== undefined || !this.process.isRunning) {
      await this.begin(this.rng);
      this.rng = undefined;
    }
    return this.search(state, options);
  }

  async dispose(): Promise<void> {
    await this.process.close();
  }

  /** Starts the program and sets the game. */
  private async start(): Promise<void> {
    try {
      this.process.send('uci');
      this.declared = declaredOptions(await this.process.until('uciok', this.options.startMs));
      this.lines = 1;
      this.setGame();
      await this.becomeReady();
    } catch (error) {
      this.process.kill();
      if (!(error instanceof TrainingError)) throw error;
      throw new TrainingError('engine-start', error.message, { cause: error });
    }
  }

  /** @throws TrainingError `engine-start` if the engine lists its games without this one. */
  private setGame(): void {
    const { id, rules } = this.game;
    const line = this.declared.get('game');
    const known = Array.from(line?.matchAll(/ var (\S+)/g) ?? [], ([, name]) => name!);
    if (known.length > 0 && !known.includes(id)) {
      const found = quote(known.join(', '));
      throw new TrainingError(
        'engine-start',
        `expected an engine for ${id}; ${quote(this.options.cmd)} plays ${found}`,
      );
    }
    // Setting a game may reset the agent behind it.
    if (/ default (\S+)/.exec(line ?? '')?.[1] !== id) this.setOption('Game', id);
    this.setOption('Rules', rules);
  }

  /** Sets an option that the engine declares. */
  private setOption(name: string, value: string | number): void {
    if (this.declared.has(name.toLowerCase())) this.process.send(`setoption name ${name} value ${value}`);
  }

  /** @throws TrainingError `engine-silent`, `engine-ended`, `engine-start` if it reports an error. */
  private async becomeReady(): Promise<void> {
    this.process.send('isready');
    const lines = await this.process.until('readyok', this.options.startMs);
    const problem = lines.find((line) => line.startsWith('info string error'));
    if (problem === undefined) return;
    throw new TrainingError('engine-start', `the engine ${quote(this.options.cmd)} says ${quote(problem)}`);
  }

  /** Begins a game; a program that has ended is started again. */
  private async begin(rng: Rng | undefined): Promise<void> {
    if (!this.process.isRunning) {
      this.process = new EngineProcess(this.options.cmd);
      await this.start();
    }
    if (rng !== undefined) this.setOption('Seed', rng.integer(MAX_SEED + 1));
    this.process.send('ucinewgame');
    try {
      await this.becomeReady();
    } catch (error) {
      this.process.kill();
      throw error;
    }
  }

  private async search(state: State, options: ThinkingOptions): Promise<Thought> {
    const { limits, lines = 1 } = options;
    if (lines !== this.lines) this.setOption('MultiPV', lines);
    this.lines = lines;
    // The agent's own limits may all be absent: the engine then uses its defaults.
    const isInfinite = limits !== this.limits && Object.values(limits).every((limit) => limit === undefined);
    this.process.take();
    this.process.send(positionLine(this.game, state));
    this.process.send(goLine(limits, isInfinite));
    const info = new InfoLines(this.game, state);
    const answer = await this.awaitMove(info, options, isInfinite);
    const action = this.moveOf(state, answer);
    const { candidates, ...work } = info.read();
    const known = candidates.find((candidate) => candidate.action === action);
    const others = candidates.filter((candidate) => candidate !== known).slice(0, lines - 1);
    return { ...work, candidates: [known ?? { action, principalVariation: [action] }, ...others] };
  }

  /**
   * Waits for the line `bestmove`, and reports the thoughts before it.
   *
   * @throws TrainingError `engine-silent` after the engine was killed, `engine-ended`.
   */
  private async awaitMove(
    info: InfoLines<State>,
    { limits, shouldStop, onThought }: ThinkingOptions,
    isInfinite: boolean,
  ): Promise<string> {
    const { waitMs } = this.options;
    let deadline = isInfinite ? Infinity : performance.now() + (limits.timeMs ?? 0) + waitMs;
    let isStopped = false;
    let nextReport = performance.now() + REPORT_MS;
    for (;;) {
      const found = await this.process.within('bestmove', STOP_CHECK_MS);
      for (const line of found ?? this.process.take()) info.add(line);
      if (found !== null) return found.at(-1)!;
      const now = performance.now();
      if (!isStopped && shouldStop()) {
        this.process.send('stop');
        isStopped = true;
        deadline = now + waitMs;
      }
      if (now >= deadline) this.giveUp(waitMs);
      if (onThought === undefined || now < nextReport || info.isEmpty) continue;
      const thought = info.read();
      if (thought.candidates.length > 0) onThought(thought);
      nextReport = now + REPORT_MS;
    }
  }

  private giveUp(waitMs: number): never {
    this.process.kill();
    const limit = this.options.timeMs === undefined ? `${waitMs} ms` : `${waitMs} ms more than its time`;
    throw new TrainingError(
      'engine-silent',
      `expected a line 'bestmove' from the engine ${quote(this.options.cmd)} within ${limit}`,
    );
  }

  /** @throws TrainingError `engine-illegal`. */
  private moveOf(state: State, line: string): Action {
    const text = line.trim().split(/\s+/)[1] ?? '';
    const action = actionOf(this.game, text);
    if (firstWord(line) === 'bestmove' && action !== undefined && this.game.isLegal(state, action))
      return action;
    throw new TrainingError(
      'engine-illegal',
      `expected a legal move from the engine ${quote(this.options.cmd)}, got ${quote(line.trim())} in ` +
        quote(this.game.formatPosition(state)),
    );
  }
}
