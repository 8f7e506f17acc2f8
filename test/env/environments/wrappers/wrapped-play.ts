import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import type { Environment, EnvState, TurnEnvironment } from '../../../../env/environments/environment.js';
import { make } from '../../../../env/environments/make.js';
import type { Rng } from '../../../../env/random.js';

/** A copy of everything variable that an environment for agents in turn shows. */
export function tellAll(env: TurnEnvironment<unknown>): object {
  const { agents, agentSelection, rewards, cumulativeRewards, terminations, truncations, infos } = env;
  return structuredClone({
    agents,
    agentSelection,
    rewards,
    cumulativeRewards,
    terminations,
    truncations,
    infos,
    observations: agents.map((agent) => env.observe(agent)),
    last: agents.length === 0 ? null : env.last(),
    rendered: env.render(),
  });
}

/** As `toEqual`, which is slow for large equal arrays. */
export function expectEqual(found: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(found, expected)) expect(found).toEqual(expected);
}

/** An action of the selected agent; null if it must leave. */
export function drawAction(env: TurnEnvironment<unknown>, rng: Rng): number | null {
  const { info, terminated, truncated } = env.last();
  return terminated || truncated ? null : info.legalActions[rng.integer(info.legalActions.length)]!;
}

/** Plays random episodes to their ends; returns the number of steps. */
export function playEpisodes(env: TurnEnvironment<unknown>, episodes: number, rng: Rng): number {
  let steps = 0;
  for (let episode = 0; episode < episodes; episode++) {
    env.reset(episode === 0 ? { seed: 1 } : {});
    for (; env.agents.length > 0; steps++) env.step(drawAction(env, rng));
  }
  return steps;
}

/** As `playEpisodes`, for one agent. */
export function playSingleEpisodes(env: Environment<unknown>, episodes: number, rng: Rng): number {
  let steps = 0;
  for (let episode = 0; episode < episodes; episode++) {
    let { info } = env.reset(episode === 0 ? { seed: 1 } : {});
    for (let isOver = false; !isOver; steps++) {
      const result = env.step(info.legalActions[rng.integer(info.legalActions.length)]!);
      info = result.info;
      isOver = result.terminated || result.truncated;
    }
  }
  return steps;
}

/** The state after a round trip through JSON. */
export function throughJson(state: EnvState): EnvState {
  return JSON.parse(JSON.stringify(state)) as EnvState;
}

/** Columns of a game that red wins. */
export const RED_WINS = [0, 1, 0, 1, 0, 1, 0];

/** An error with this code. */
export function code(value: string): unknown {
  return expect.objectContaining({ code: value });
}

/** Connect Four for two agents. */
export function connectFour(): TurnEnvironment {
  return make('gess/ConnectFour-v0', { renderMode: 'ansi' });
}

/** Connect Four against a random player. */
export function single(side: 'first' | 'second' = 'first'): Environment {
  return make('gess/ConnectFour-v0', { renderMode: 'ansi', opponent: 'random', side });
}

/** Lets all agents leave; returns their names, in order. */
export function leaveAll(env: TurnEnvironment<unknown>): string[] {
  const left: string[] = [];
  while (env.agents.length > 0) {
    left.push(env.agentSelection);
    env.step(null);
  }
  return left;
}
