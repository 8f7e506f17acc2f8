import type { TurnEnvironment } from '../environment.js';
import { firstDifference, snapshot } from './difference.js';
import { type EnvRun, playEpisodes, refusalOf } from './env-run.js';
import type { FindingList, Place } from './finding.js';
import { turnSubject } from './subject.js';
import { expectInSpace, findMask } from './view-checks.js';

type Environment = TurnEnvironment<unknown>;
type ByAgent<Value> = Readonly<Record<string, Value>>;

/** The previous step, for checks of agents. */
interface Memory {
  readonly agents: readonly string[];
  readonly selection: string;
  readonly wasOver: boolean;
  readonly cumulative: ByAgent<number>;
}

/** The context of checks of agents. */
interface TurnCheck {
  readonly env: Environment;
  readonly list: FindingList;
  /** Whether the rewards of a step must sum to zero. */
  readonly isZeroSum: boolean;
}

/** Checks that the properties of agents agree with `last` and with earlier steps. */
export function checkAgents(run: EnvRun, create: () => Environment, isZeroSum: boolean): void {
  const env = create();
  const check = { env, list: run.list, isZeroSum };
  let memory: Memory | null = null;
  playEpisodes(run, turnSubject(env), (place) => {
    if (place.step === 0) expectStart(check, place);
    else if (memory !== null) expectStep(check, memory, place);
    if (env.agents.length > 0) expectAgents(check, place);
    memory = remember(env);
  });
}

function remember(env: Environment): Memory {
  const { agents, agentSelection: selection } = env;
  const wasOver = env.terminations[selection] === true || env.truncations[selection] === true;
  return { agents: [...agents], selection, wasOver, cumulative: { ...env.cumulativeRewards } };
}

function expectStart({ env, list }: TurnCheck, place: Place): void {
  list.expectSame(
    'reset-start',
    firstDifference([...env.agents], [...env.possibleAgents], ['agents']),
    place,
  );
  if (!env.agents.includes(env.agentSelection)) {
    list.end(
      'reset-start',
      `expected an agent of ${env.agents.join(', ')}, got '${env.agentSelection}'`,
      place,
    );
  }
  const zeros = Object.fromEntries(env.agents.map((agent) => [agent, 0]));
  const noEnds = Object.fromEntries(env.agents.map((agent) => [agent, false]));
  const found = {
    rewards: env.rewards,
    cumulativeRewards: env.cumulativeRewards,
    terminations: env.terminations,
    truncations: env.truncations,
  };
  const expected = { rewards: zeros, cumulativeRewards: zeros, terminations: noEnds, truncations: noEnds };
  list.expectSame('reset-start', firstDifference(found, expected), place);
}

/** Checks the changes of agents and rewards by a step. */
function expectStep({ env, list, isZeroSum }: TurnCheck, before: Memory, place: Place): void {
  const left = before.wasOver ? before.agents.filter((agent) => agent !== before.selection) : before.agents;
  list.expectSame('dead-step-missing', firstDifference([...env.agents], [...left], ['agents']), place);
  if (env.agents.length > 0 && !env.agents.includes(env.agentSelection)) {
    list.end(
      'dead-step-missing',
      `expected one of ${env.agents.join(', ')}, got '${env.agentSelection}'`,
      place,
    );
  }
  if (env.agents.some((agent) => !Number.isFinite(env.rewards[agent]))) return;
  const expected = Object.fromEntries(
    env.agents.map((agent) => {
      const kept = agent === before.selection ? 0 : before.cumulative[agent]!;
      return [agent, kept + env.rewards[agent]!];
    }),
  );
  list.expectSame('reward-cumulative', roughDifference(env.cumulativeRewards, expected), place);
  const sum = Object.values(env.rewards).reduce((total, reward) => total + reward, 0);
  if (isZeroSum && !before.wasOver && Math.abs(sum) > TOLERANCE) {
    list.end('reward-sum', `expected rewards that sum to 0, got ${sum}`, place);
  }
}

/** The last bits of a sum of fractions depend on the order of its terms. */
const TOLERANCE = 1e-9;

function roughDifference(found: ByAgent<number>, expected: ByAgent<number>): string | null {
  const round = (rewards: ByAgent<number>): ByAgent<number> =>
    Object.fromEntries(
      Object.entries(rewards).map(([agent, reward]) => [agent, Math.round(reward / TOLERANCE) * TOLERANCE]),
    );
  return firstDifference(round(found), round(expected));
}

function expectAgents({ env, list }: TurnCheck, place: Place): void {
  const { rewards, cumulativeRewards, terminations, truncations, infos } = env;
  for (const [name, record] of Object.entries({
    rewards,
    cumulativeRewards,
    terminations,
    truncations,
    infos,
  })) {
    const found = Object.keys(record).sort();
    list.expectSame('agent-keys', firstDifference(found, [...env.agents].sort(), [name]), place);
  }
  const ends = env.agents.map((agent) => ({
    terminated: terminations[agent],
    truncated: truncations[agent],
  }));
  for (const end of ends) {
    if (typeof end.terminated !== 'boolean' || typeof end.truncated !== 'boolean') {
      list.end('ended-type', 'expected booleans in terminations and truncations, got other values', place);
    }
    list.expectSame('ended-type', firstDifference(end, ends[0], ['agents of one episode']), place);
  }
  for (const agent of env.agents) {
    if (Number.isFinite(rewards[agent])) continue;
    list.end('reward-type', `expected finite numbers, got ${String(rewards[agent])} for ${agent}`, place);
  }
  expectLast({ env, list }, place);
  for (const agent of env.agents) expectAgent({ env, list }, agent, place);
}

function expectLast({ env, list }: Pick<TurnCheck, 'env' | 'list'>, place: Place): void {
  const agent = env.agentSelection;
  const last = snapshot(env.last()) as ReturnType<Environment['last']>;
  const seen = snapshot(env.observe(agent));
  list.expectSame('last-observation', firstDifference(last.observation, seen, ['observation']), place);
  const reward = env.cumulativeRewards[agent];
  list.expectSame('last-reward', firstDifference(last.reward, reward, ['reward']), place);
  const found = { terminated: last.terminated, truncated: last.truncated };
  const expected = { terminated: env.terminations[agent], truncated: env.truncations[agent] };
  list.expectSame('last-ended', firstDifference(found, expected), place);
  list.expectSame('last-info', firstDifference(last.info, snapshot(env.infos[agent]), ['info']), place);
}

function expectAgent({ env, list }: Pick<TurnCheck, 'env' | 'list'>, agent: string, place: Place): void {
  const space = env.observationSpace(agent);
  if (env.observationSpace(agent) !== space || env.actionSpace(agent) !== env.actionSpace(agent)) {
    list.end('space-changes', `expected the same object for ${agent} at each call, got another`, place);
  }
  const seen = env.observe(agent);
  expectInSpace(list, { space, value: seen }, place);
  const isToMove =
    agent === env.agentSelection && env.terminations[agent] === false && env.truncations[agent] === false;
  if (isToMove) return;
  const info = env.infos[agent]!;
  const mask = findMask(seen) ?? findMask(info);
  if (info.legalActions.length === 0 && mask?.includes(1) !== true) return;
  list.end('mask-of-other', `expected no legal actions for ${agent}, got some`, place);
}

/** Checks that after the end only null is accepted, and nothing after all have left. */
export function checkDeadSteps(run: EnvRun, create: () => Environment): void {
  const env = create();
  const { list } = run;
  playEpisodes(run, turnSubject(env), (place) => {
    const { agents, agentSelection: agent } = env;
    if (agents.length === 0) {
      const error = refusalOf(() => {
        env.step(null);
      });
      if (error === null)
        list.end(
          'dead-step-accepts',
          'expected a step after all have left to be refused, got no error',
          place,
        );
      return;
    }
    if (env.terminations[agent] !== true && env.truncations[agent] !== true) return;
    const error = refusalOf(() => {
      env.step(env.actionSpace(agent).start);
    });
    if (error === null)
      list.end('dead-step-accepts', 'expected an action after the end to be refused, got no error', place);
  });
}
