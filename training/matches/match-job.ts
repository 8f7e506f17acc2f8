import { availableParallelism } from 'node:os';
import { parseAgentSpec } from '../../agents/agent-spec.js';
import { createGame } from '../../env/games.js';
import type { GameIdentity } from '../games/game-config.js';
import { withAgent } from '../export/open-agent.js';
import type { GamePlan, MatchGame } from './match-game.js';
import { playGames } from './match-play.js';

/** Games that a process plays at once if time does not matter: the batch size of a network. */
const GAMES_AT_ONCE = 32;
/** Most games of a job. */
const GAMES_A_JOB = 64;

/** The agents of a match and how they play; plain JSON. */
export interface MatchSides {
  readonly game: GameIdentity;
  /** Texts of the agents. */
  readonly agent: string;
  readonly opponent: string;
  readonly seed: number;
  /** Milliseconds by which a move may exceed its agent's time limit. */
  readonly timeMarginMs: number;
}

/** Games of a match for one process; plain JSON, which can be sent to it. */
export interface MatchJob extends MatchSides {
  readonly plans: readonly GamePlan[];
}

/** The time limit of an agent's moves, in ms; null if it has none. */
function timeLimitOf(text: string): number | null {
  const { options } = parseAgentSpec(text);
  return ('timeMs' in options ? options.timeMs : undefined) ?? null;
}

/** Whether an agent has a time limit. */
export function hasTimeLimit(agent: string): boolean {
  return timeLimitOf(agent) !== null;
}

/** The settings of a match that can make its games depend on time. */
type TimedSides = Pick<MatchSides, 'game' | 'agent' | 'opponent'>;

/** Whether an agent has a time limit, or the rules have clocks, so that games must be played one at a time. */
export function isTimed({ game, agent, opponent }: TimedSides): boolean {
  if ([agent, opponent].some(hasTimeLimit)) return true;
  return createGame(game.id, game.rules).spendTime !== undefined;
}

/** The number of processes for a match: at most one per core if its games depend on time. */
export function processesFor(sides: TimedSides, processes: number): number {
  return isTimed(sides) ? Math.min(processes, availableParallelism()) : processes;
}

/**
 * Divides games among jobs for some processes.
 *
 * @param isSequential whether later games may prove unnecessary; jobs are then small.
 */
export function divideGames(
  sides: MatchSides,
  plans: readonly GamePlan[],
  { processes, isSequential }: { readonly processes: number; readonly isSequential: boolean },
): readonly MatchJob[] {
  const most = isTimed(sides) ? 2 : isSequential ? GAMES_A_JOB / 4 : GAMES_A_JOB;
  // A multiple of the number of processes, so that all are busy to the end; at most one job for each pair.
  const jobs = Math.min(
    processes * Math.ceil(plans.length / (most * processes)),
    Math.ceil(plans.length / 2),
  );
  const borders = Array.from(
    { length: jobs + 1 },
    (_, job) => 2 * Math.round((job * plans.length) / jobs / 2),
  );
  borders[jobs] = plans.length;
  return borders.slice(1).map((end, job) => ({ ...sides, plans: plans.slice(borders[job], end) }));
}

/**
 * Plays the games of a job.
 *
 * @param onGame called with each game when it ends.
 * @throws NotationError for the game, AgentError for an agent's text or model.
 */
export async function playMatchJob(job: MatchJob, onGame: (game: MatchGame) => void): Promise<void> {
  const game = createGame(job.game.id, job.game.rules);
  const forfeitMs = ([job.agent, job.opponent] as const).map((text) => {
    const limit = timeLimitOf(text);
    return limit === null ? null : limit + job.timeMarginMs;
  }) as [number | null, number | null];
  const atOnce = isTimed(job) ? 1 : GAMES_AT_ONCE;
  await withAgent(job.agent, game, (agent) =>
    withAgent(job.opponent, game, (opponent) =>
      playGames([agent, opponent], job.plans, { seed: job.seed, atOnce, forfeitMs }, onGame),
    ),
  );
}
