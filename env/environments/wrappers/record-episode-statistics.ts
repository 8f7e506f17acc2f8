import * as z from 'zod';
import type { WrapperSpec } from '../env-spec.js';
import type { Environment, Info, TurnEnvironment } from '../environment.js';
import type { AnyEnvironment, EnvWrapper, TurnWrapper } from './wrapping.js';
import {
  functionWrapper,
  isOver,
  isTurnBased,
  readOptions,
  restoreAround,
  saveAround,
  wrapEnv,
  wrapTurn,
} from './wrapping.js';

const NAME = 'recordEpisodeStatistics';

const Options = z.strictObject({
  bufferLength: z.int().positive().default(100),
  statsKey: z.string().default('episode'),
});

/** Options of `recordEpisodeStatistics`. */
export interface StatisticsOptions {
  /** Length of the queues, in episodes. Defaults to 100. */
  readonly bufferLength?: number | undefined;
  /** The field of the info for the statistics. Defaults to `episode`. */
  readonly statsKey?: string | undefined;
  /** A clock in seconds, `() => performance.now() / 1000`; without it no times are measured. */
  readonly now?: (() => number) | undefined;
}

/** Statistics of a finished episode for one agent; the names are Gymnasium's. */
export interface EpisodeStatistics {
  /** The sum of rewards. */
  readonly r: number;
  /** The number of steps, those of all agents. */
  readonly l: number;
  /** The duration in seconds; present only with `now`. */
  readonly t?: number;
}

/** The last finished episodes, the oldest first. `Return` is a number, or one for each agent by name. */
export interface EpisodeQueues<Return> {
  /** The number of finished episodes, including those no longer in the queues. */
  readonly episodeCount: number;
  readonly returnQueue: readonly Return[];
  readonly lengthQueue: readonly number[];
  /** Empty without `now`. */
  readonly timeQueue: readonly number[];
}

type Totals = Readonly<Record<string, number>>;

const Own = z.object({
  totals: z.record(z.string(), z.number()),
  length: z.int(),
  seconds: z.number().nullable(),
  isDone: z.boolean(),
  episodeCount: z.int(),
  returns: z.array(z.record(z.string(), z.number())),
  lengths: z.array(z.int()),
  times: z.array(z.number()),
});

/**
 * Sums the rewards and counts the steps of episodes, like Gymnasium's wrapper of this name: at the end of an
 * episode, `info.episode` is its `EpisodeStatistics`, which also join the queues. In an environment for
 * agents in turn every agent's info has its own. Episodes abandoned before the end are not counted.
 *
 * With `now`, a spec with this wrapper cannot be written as JSON: EnvError `wrapper-function`.
 *
 * @throws EnvError `wrapper-options`.
 */
export function recordEpisodeStatistics<Seen>(
  env: TurnEnvironment<Seen>,
  options?: StatisticsOptions,
): TurnWrapper<Seen> & EpisodeQueues<Totals>;
export function recordEpisodeStatistics<Seen>(
  env: Environment<Seen>,
  options?: StatisticsOptions,
): EnvWrapper<Seen> & EpisodeQueues<number>;
export function recordEpisodeStatistics<Seen>(
  env: TurnEnvironment<Seen> | Environment<Seen>,
  options: StatisticsOptions = {},
): AnyEnvironment<Seen> & EpisodeQueues<Totals | number> {
  const { now, ...others } = options;
  const { bufferLength, statsKey } = readOptions(NAME, Options, others);
  const wrapper: WrapperSpec =
    now === undefined
      ? { name: NAME, options: { bufferLength, statsKey } }
      : functionWrapper(NAME, 'a clock');
  const statistics = new Statistics(bufferLength, now);
  return isTurnBased(env)
    ? watchTurns(env, statistics, { wrapper, statsKey })
    : watchSteps(env, statistics, { wrapper, statsKey });
}

/** The current episode and those before it. */
class Statistics {
  episodeCount = 0;
  returns: Totals[] = [];
  lengths: number[] = [];
  times: number[] = [];
  private totals: Totals = {};
  private length = 0;
  private isDone = false;
  private startSeconds = 0;
  private seconds: number | null = null;
  private readonly bufferLength: number;
  private readonly now: (() => number) | undefined;

  constructor(bufferLength: number, now: (() => number) | undefined) {
    this.bufferLength = bufferLength;
    this.now = now;
  }

  begin(): void {
    this.totals = {};
    this.length = 0;
    this.isDone = false;
    this.startSeconds = this.now?.() ?? 0;
    this.seconds = null;
  }

  add(rewards: Totals, steps: number): void {
    const sums = Object.entries(rewards).map(([agent, reward]) => [agent, this.sumOf(agent) + reward]);
    this.totals = Object.fromEntries(sums) as Totals;
    this.length += steps;
  }

  finish(): void {
    this.isDone = true;
    this.episodeCount += 1;
    this.returns = [...this.returns, this.totals].slice(-this.bufferLength);
    this.lengths = [...this.lengths, this.length].slice(-this.bufferLength);
    if (this.now === undefined) return;
    this.seconds = this.now() - this.startSeconds;
    this.times = [...this.times, this.seconds].slice(-this.bufferLength);
  }

  /** Null before the end of the episode. */
  of(agent: string): EpisodeStatistics | null {
    if (!this.isDone) return null;
    const statistics = { r: this.sumOf(agent), l: this.length };
    return this.seconds === null ? statistics : { ...statistics, t: this.seconds };
  }

  save(): z.infer<typeof Own> {
    const { totals, length, isDone, episodeCount, returns, lengths, times } = this;
    const elapsed = this.now === undefined ? null : this.now() - this.startSeconds;
    const seconds = isDone ? this.seconds : elapsed;
    return { totals, length, seconds, isDone, episodeCount, returns, lengths, times };
  }

  restore(saved: z.infer<typeof Own>): void {
    const { totals, length, seconds, isDone, episodeCount, returns, lengths, times } = saved;
    Object.assign(this, { totals, length, isDone, episodeCount, returns, lengths, times });
    this.seconds = isDone ? seconds : null;
    this.startSeconds = (this.now?.() ?? 0) - (seconds ?? 0);
  }

  private sumOf(agent: string): number {
    return this.totals[agent] ?? 0;
  }
}

interface Place {
  readonly wrapper: WrapperSpec;
  readonly statsKey: string;
}

function watchTurns<Seen>(
  env: TurnEnvironment<Seen>,
  statistics: Statistics,
  { wrapper, statsKey }: Place,
): TurnWrapper<Seen> & EpisodeQueues<Totals> {
  const told = (agent: string, info: Info): Info => {
    const episode = statistics.of(agent);
    return episode === null ? info : { ...info, [statsKey]: episode };
  };
  const wrapped = wrapTurn(env, wrapper, {
    get infos() {
      return Object.fromEntries(Object.entries(env.infos).map(([agent, info]) => [agent, told(agent, info)]));
    },
    last() {
      const turn = env.last();
      return { ...turn, info: told(env.agentSelection, turn.info) };
    },
    reset(options) {
      env.reset(options);
      statistics.begin();
      if (!isOver(env)) return;
      statistics.add(env.rewards, 0);
      statistics.finish();
    },
    step(action, options) {
      env.step(action, options);
      if (action === null) return;
      statistics.add(env.rewards, 1);
      if (isOver(env)) statistics.finish();
    },
    save: () => saveAround(NAME, env, statistics.save()),
    restore(state) {
      statistics.restore(restoreAround({ name: NAME, schema: Own }, env, state));
    },
  });
  return withQueues(wrapped, statistics, (totals) => totals);
}

/** The name of a single agent in totals. */
const AGENT = 'agent';

function watchSteps<Seen>(
  env: Environment<Seen>,
  statistics: Statistics,
  { wrapper, statsKey }: Place,
): EnvWrapper<Seen> & EpisodeQueues<number> {
  const wrapped = wrapEnv(env, wrapper, {
    reset(options) {
      const result = env.reset(options);
      statistics.begin();
      return result;
    },
    step(action, options) {
      const result = env.step(action, options);
      statistics.add({ [AGENT]: result.reward }, 1);
      if (!result.terminated && !result.truncated) return result;
      statistics.finish();
      return { ...result, info: { ...result.info, [statsKey]: statistics.of(AGENT) } };
    },
    save: () => saveAround(NAME, env, statistics.save()),
    restore(state) {
      statistics.restore(restoreAround({ name: NAME, schema: Own }, env, state));
    },
  });
  return withQueues(wrapped, statistics, (totals) => totals[AGENT]!);
}

function withQueues<E extends object, Return>(
  env: E,
  statistics: Statistics,
  returnOf: (totals: Totals) => Return,
): E & EpisodeQueues<Return> {
  const queues: EpisodeQueues<Return> = {
    get episodeCount() {
      return statistics.episodeCount;
    },
    get returnQueue() {
      return statistics.returns.map(returnOf);
    },
    get lengthQueue() {
      return statistics.lengths;
    },
    get timeQueue() {
      return statistics.times;
    },
  };
  return Object.defineProperties(env, Object.getOwnPropertyDescriptors(queues)) as E & EpisodeQueues<Return>;
}
