import type {
  EnvMetadata,
  Info,
  ResetOptions,
  TurnEnvironment,
} from '../../../env/environments/environment.js';
import type { EnvSpec } from '../../../env/environments/env-spec.js';
import type {
  VectorEnvironment,
  VectorInfos,
  VectorReset,
  VectorStep,
} from '../../../env/environments/vector/vector-environment.js';
import { IllegalActionError } from '../../../env/errors.js';
import { RequestError } from '../../line-protocol/json-requests.js';
import { type Batch, FLAG } from './batch-frame.js';

/** An action of a frame by which an agent leaves an episode that is over. */
const LEAVE = -1;

const NO_ACTIONS = new Int32Array(0);

/** Options of a reset by a frame. */
export interface SteppedReset extends ResetOptions {
  /** `[count]` of a vector: a seed for each environment; undefined continues its random streams. */
  readonly seeds?: readonly (number | undefined)[] | undefined;
  /** `[count]` of a vector: 1 for environments to reset. */
  readonly resetMask?: readonly number[] | undefined;
}

/** Environments that a client resets and steps by frames, as one. */
export interface SteppedEnvironments {
  readonly count: number;
  readonly spec: EnvSpec | null;
  readonly metadata: EnvMetadata;
  reset(options: SteppedReset): Batch;
  /** @param actions `[count]` */
  step(actions: Int32Array): Batch;
  /** @param player of the view; undefined for the player to move. */
  look(player: 0 | 1 | undefined): Batch;
  render(index: number): string | null;
  close(): void;
}

/** An environment for agents in turn. Rewards are those of the agent that moves first. */
export class SteppedTurns implements SteppedEnvironments {
  readonly count = 1;
  readonly env: TurnEnvironment;
  private ply = 0;

  constructor(env: TurnEnvironment) {
    this.env = env;
  }

  get spec(): EnvSpec | null {
    return this.env.spec;
  }

  get metadata(): EnvMetadata {
    return this.env.metadata;
  }

  reset({ resetMask, seeds, ...options }: SteppedReset): Batch {
    if (resetMask !== undefined || seeds !== undefined) {
      throw new RequestError('request-syntax', 'expected a resetMask or a list of seeds only for a vector');
    }
    this.env.reset(options);
    return this.look(undefined);
  }

  step(actions: Int32Array): Batch {
    const action = actions[0]!;
    this.env.step(action === LEAVE ? null : action);
    return this.look(undefined);
  }

  look(player: 0 | 1 | undefined): Batch {
    const { env } = this;
    const agent = player === undefined ? env.agentSelection : env.possibleAgents[player]!;
    const info: Info | undefined = env.infos[agent];
    if (info !== undefined) this.ply = info.ply;
    const first = env.possibleAgents[0]!;
    const ended =
      (env.terminations[agent] === true ? FLAG.terminated : 0) +
      (env.truncations[agent] === true ? FLAG.truncated : 0);
    return {
      count: 1,
      rewards: [env.rewards[first] ?? 0],
      plies: [this.ply],
      flags: [ended],
      players: [env.possibleAgents.indexOf(agent)],
      legalActions: [info?.legalActions ?? NO_ACTIONS],
      planes: env.observe(agent).observation,
      finals: [],
    };
  }

  render(): string | null {
    return this.env.render();
  }

  close(): void {
    this.env.close();
  }
}

/** A vector of environments for one agent each. Rewards are that agent's. */
export class SteppedVector implements SteppedEnvironments {
  readonly count: number;
  private readonly envs: VectorEnvironment;
  private readonly renderOne: (index: number) => string | null;
  private readonly playerNames: readonly string[];
  /** Legal actions of each environment in an episode; null where the next action is ignored or refused. */
  private legal: readonly (Int32Array | null)[] = [];

  /** @param renderOne renders the environment of an index. */
  constructor(
    envs: VectorEnvironment,
    playerNames: readonly string[],
    renderOne: (index: number) => string | null,
  ) {
    this.envs = envs;
    this.count = envs.numEnvs;
    this.playerNames = playerNames;
    this.renderOne = renderOne;
  }

  get spec(): EnvSpec | null {
    return this.envs.spec;
  }

  get metadata(): EnvMetadata {
    return this.envs.metadata;
  }

  reset({ seed, seeds, ...options }: SteppedReset): Batch {
    return this.batchOf(this.envs.reset({ ...options, seed: seeds ?? seed }));
  }

  /** @throws IllegalActionError with the index of the environment; nothing has changed. */
  step(actions: Int32Array): Batch {
    for (const [index, legal] of this.legal.entries()) {
      if (legal === null || isAmong(legal, actions[index]!)) continue;
      const found = `expected legal actions, got ${actions[index]!} for environment ${index}`;
      throw new IllegalActionError('illegal-action', found);
    }
    return this.batchOf(this.envs.step(actions));
  }

  look(): Batch {
    throw new RequestError('env-kind', 'expected an environment for agents in turn, got a vector');
  }

  render(index: number): string | null {
    if (index < this.count) return this.renderOne(index);
    throw new RequestError('request-syntax', `expected an index 0 to ${this.count - 1}, got ${index}`);
  }

  close(): void {
    this.envs.close();
  }

  private batchOf(result: VectorReset & Partial<VectorStep>): Batch {
    const { count, playerNames } = this;
    const { infos, observations } = result;
    const flags = new Uint8Array(count);
    for (let index = 0; index < count; index++) {
      if (result.terminations?.[index] === 1) flags[index]! += FLAG.terminated;
      if (result.truncations?.[index] === 1) flags[index]! += FLAG.truncated;
    }
    const finals = finalsOf(infos, flags);
    this.legal = infos.legalActions.map((legal, index) => (isWaiting(flags[index]!) ? null : legal));
    return {
      count,
      rewards: result.rewards ?? new Float32Array(count),
      plies: infos.ply,
      flags,
      players: (infos['agent'] as readonly string[]).map((name) => playerNames.indexOf(name)),
      legalActions: infos.legalActions,
      planes: observations.observation,
      finals,
    };
  }
}

/** Whether an environment waits for a reset: its episode is over, and it was not reset automatically. */
function isWaiting(flags: number): boolean {
  return flags === FLAG.terminated || flags === FLAG.truncated;
}

/** The ends of episodes after which the environment was reset automatically; marks these in `flags`. */
function finalsOf(infos: VectorInfos, flags: Uint8Array): Batch['finals'] {
  const finals: { readonly ply: number; readonly planes: Float32Array }[] = [];
  for (const [index, final] of (infos.finalObservation ?? []).entries()) {
    if (final === null) continue;
    flags[index]! += FLAG.final;
    const { observation } = final as { readonly observation: Float32Array };
    finals.push({ ply: infos.finalInfo!.ply[index]!, planes: observation });
  }
  return finals;
}

/** Whether an ascending list contains a number. */
function isAmong(list: Int32Array, number: number): boolean {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle]! < number) low = middle + 1;
    else high = middle;
  }
  return list[low] === number;
}
