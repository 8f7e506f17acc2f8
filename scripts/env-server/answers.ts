import { endianness } from 'node:os';
import type { Observation, TurnEnvironment } from '../../env/environments/environment.js';
import type { Discrete } from '../../env/spaces/discrete.js';
import type { Space } from '../../env/spaces/space.js';

/** An array of numbers as little-endian bytes in base 64. */
export interface EncodedArray {
  /** NumPy's name: `float32`. */
  readonly dtype: 'float32';
  readonly shape: readonly number[];
  readonly base64: string;
}

/** The observation of an agent. The action mask is 1 at `legalActions` and 0 elsewhere. */
export interface EncodedObservation {
  readonly observation: EncodedArray;
  readonly legalActions: readonly number[];
}

/** The status of an environment, as PettingZoo's properties of the same names. */
export interface Status {
  readonly agents: readonly string[];
  readonly agentSelection: string;
  readonly rewards: Readonly<Record<string, number>>;
  readonly cumulativeRewards: Readonly<Record<string, number>>;
  readonly terminations: Readonly<Record<string, boolean>>;
  readonly truncations: Readonly<Record<string, boolean>>;
  readonly infos: Readonly<Record<string, unknown>>;
  readonly observation?: EncodedObservation;
}

const LITTLE_ENDIAN = endianness() === 'LE';

function encodeArray(values: Float32Array, shape: readonly number[]): EncodedArray {
  const { buffer, byteOffset, byteLength } = values;
  const bytes = Buffer.from(buffer, byteOffset, byteLength);
  const base64 = (LITTLE_ENDIAN ? bytes : Buffer.from(bytes).swap32()).toString('base64');
  return { dtype: 'float32', shape, base64 };
}

function listSet(mask: Uint8Array): number[] {
  const actions: number[] = [];
  for (let action = mask.indexOf(1); action >= 0; action = mask.indexOf(1, action + 1)) actions.push(action);
  return actions;
}

/** @param shape of the planes, `[rows, columns, planes]`. */
export function encodeObservation(
  { observation, actionMask }: Observation,
  shape: readonly number[],
): EncodedObservation {
  return { observation: encodeArray(observation, shape), legalActions: listSet(actionMask) };
}

/** An info as JSON: typed arrays become lists. */
function toJson(value: unknown): unknown {
  if (ArrayBuffer.isView(value)) return Array.from(value as unknown as ArrayLike<unknown>);
  if (Array.isArray(value)) return value.map(toJson);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, toJson(member)]));
}

/** The status of `env`, without an observation. */
export function statusOf(env: TurnEnvironment): Status {
  const { agents, agentSelection, rewards, cumulativeRewards, terminations, truncations, infos } = env;
  return {
    agents,
    agentSelection,
    rewards,
    cumulativeRewards,
    terminations,
    truncations,
    infos: Object.fromEntries(Object.entries(infos).map(([agent, info]) => [agent, toJson(info)])),
  };
}

/** The spaces of an environment's agents, by name. */
export interface EnvironmentSpaces {
  readonly observationSpaces: Readonly<Record<string, Space<Observation>>>;
  readonly actionSpaces: Readonly<Record<string, Discrete>>;
}

/** The spaces of each agent. */
export function spacesOf(env: TurnEnvironment): EnvironmentSpaces {
  const byAgent = <S>(space: (agent: string) => S): Readonly<Record<string, S>> =>
    Object.fromEntries(env.possibleAgents.map((agent) => [agent, space(agent)]));
  return {
    observationSpaces: byAgent((agent) => env.observationSpace(agent)),
    actionSpaces: byAgent((agent) => env.actionSpace(agent)),
  };
}

/** Shape of the `observation` in an environment's observations, from the JSON of their space. */
export function planesShape(env: TurnEnvironment): readonly number[] {
  const space = JSON.parse(JSON.stringify(env.observationSpace(env.possibleAgents[0]!))) as {
    readonly spaces: { readonly observation: { readonly shape: readonly number[] } };
  };
  return space.spaces.observation.shape;
}
