import * as z from 'zod';
import { EnvError } from '../../errors.js';
import type { Action, Game, Player, Symmetry } from '../../game.js';
import type { Rng } from '../../random.js';
import { createRng, restoreRng } from '../../random.js';
import { turnPlanes } from '../../definition/turned-planes.js';
import type { WrapperSpec } from '../env-spec.js';
import type {
  Environment,
  EnvState,
  Info,
  Observation,
  ResetOptions,
  TurnEnvironment,
} from '../environment.js';
import { innerSpace } from './action-masking.js';
import type { AnyEnvironment, EnvWrapper, TurnWrapper } from './wrapping.js';
import {
  isTurnBased,
  readOptions,
  restoreAround,
  saveAround,
  unwrapped,
  wrapEnvSeen,
  wrapTurnSeen,
} from './wrapping.js';

const NAME = 'symmetryAugmentation';

const Options = z.strictObject({ per: z.enum(['episode', 'step']).default('episode') });

/** Options of `symmetryAugmentation`. */
export interface SymmetryOptions {
  /** The interval at which symmetries are sampled. Defaults to `episode`. */
  readonly per?: 'episode' | 'step' | undefined;
}

const Own = z.object({ symmetry: z.int().min(0), rng: z.array(z.int32()).length(4), player: z.int().min(0) });

/**
 * Transforms the board by a random symmetry of the game: planes, mask, `info.legalActions` and the actions of
 * `step` all follow it, each from the agent's own view, so that agents cannot notice. `info.symmetry` names
 * it. Positions and moves of `reset` and renderings are not transformed. By default one symmetry is sampled
 * an episode; `per: 'step'` samples one after every step. A seed restarts the sampling.
 *
 * @throws EnvError `wrapper-options`; `wrapper-target` if the environment has no game, or its observations
 * are not the game's.
 */
export function symmetryAugmentation(
  env: TurnEnvironment,
  options?: SymmetryOptions,
): TurnWrapper<Observation>;
export function symmetryAugmentation(env: Environment, options?: SymmetryOptions): EnvWrapper<Observation>;
export function symmetryAugmentation(
  env: TurnEnvironment | Environment,
  options?: SymmetryOptions,
): AnyEnvironment<Observation> {
  const { per } = readOptions(NAME, Options, options);
  const wrapper: WrapperSpec = { name: NAME, options: { per } };
  const isInTurns = isTurnBased(env);
  const view = new SymmetricView(gameOf(env));
  return isInTurns ? augmentTurns(env, wrapper, view) : augmentSteps(env, wrapper, view);
}

function gameOf(env: TurnEnvironment | Environment): Game<unknown> {
  const base = unwrapped(env);
  if ('game' in base && typeof base.game === 'object' && base.game !== null && 'symmetries' in base.game) {
    return base.game as Game<unknown>;
  }
  throw new EnvError('wrapper-target', 'expected an environment with a game, which has the symmetries');
}

/** A game transformed by the current symmetry. */
class SymmetricView {
  readonly game: Game<unknown>;
  private rng: Rng = createRng(0, NAME);
  private index = 0;
  /** Inverse policy indices of each symmetry, created on first use. */
  private readonly origins: (Uint16Array | undefined)[] = [];

  constructor(game: Game<unknown>) {
    this.game = game;
  }

  /** Samples a symmetry for an episode. */
  begin({ seed }: ResetOptions = {}): void {
    if (seed !== undefined) this.rng = createRng(seed, NAME);
    this.draw();
  }

  draw(): void {
    this.index = this.rng.integer(this.game.symmetries.length);
  }

  save(player: Player): z.infer<typeof Own> {
    return { symmetry: this.index, rng: [...this.rng.state()], player };
  }

  restore(env: AnyEnvironment, state: EnvState): Player {
    const count = this.game.symmetries.length;
    const schema = Own.refine(({ symmetry }) => symmetry < count, `expected one of ${count} symmetries`);
    const { symmetry, rng, player } = restoreAround({ name: NAME, schema }, env, state);
    this.index = symmetry;
    this.rng = restoreRng(rng);
    return player === 0 ? 0 : 1;
  }

  info(player: Player, info: Info): Info {
    const legalActions = info.legalActions.map((action) => this.shownAction(player, action)).sort();
    return { ...info, legalActions, symmetry: this.symmetry.name };
  }

  /** @param info the result of `this.info`. */
  observation({ observation, actionMask }: Observation, info: Info): Observation {
    const shown = new Float32Array(observation.length);
    turnPlanes(this.symmetry, observation, shown);
    const mask = new Uint8Array(actionMask.length);
    for (const action of info.legalActions) mask[action] = 1;
    return { observation: shown, actionMask: mask };
  }

  /** The game's action for a transformed one; invalid values pass through, for the environment to reject. */
  realAction(player: Player, shown: Action): Action {
    const { game } = this;
    if (!Number.isInteger(shown) || shown < 0 || shown >= game.numActions) return shown;
    const origins = (this.origins[this.index] ??= inverse(this.symmetry.policyIndices));
    return game.actionOfPolicyIndex(player, origins[game.policyIndex(player, shown)]!);
  }

  private get symmetry(): Symmetry {
    return this.game.symmetries[this.index]!;
  }

  private shownAction(player: Player, action: Action): Action {
    const { game } = this;
    return game.actionOfPolicyIndex(player, this.symmetry.policyIndices[game.policyIndex(player, action)]!);
  }
}

function inverse(permutation: Uint16Array): Uint16Array {
  const origins = new Uint16Array(permutation.length);
  for (let from = 0; from < permutation.length; from++) origins[permutation[from]!] = from;
  return origins;
}

function augmentTurns(
  env: TurnEnvironment,
  wrapper: WrapperSpec,
  view: SymmetricView,
): TurnWrapper<Observation> {
  for (const agent of env.possibleAgents) innerSpace(env.observationSpace(agent));
  const playerOf = (agent: string): Player => (env.possibleAgents[0] === agent ? 0 : 1);
  const isPerStep = wrapper.options['per'] === 'step';
  return wrapTurnSeen<Observation, Observation>(env, wrapper, {
    observationSpace: (agent) => env.observationSpace(agent),
    get infos() {
      const infos = Object.entries(env.infos);
      return Object.fromEntries(infos.map(([agent, info]) => [agent, view.info(playerOf(agent), info)]));
    },
    observe(agent) {
      const observation = env.observe(agent);
      const info = env.infos[agent] ?? { legalActions: new Int32Array(0), ply: 0 };
      return view.observation(observation, view.info(playerOf(agent), info));
    },
    last() {
      const turn = env.last();
      const info = view.info(playerOf(env.agentSelection), turn.info);
      return { ...turn, observation: view.observation(turn.observation, info), info };
    },
    reset(options) {
      env.reset(options);
      view.begin(options);
    },
    step(action, options) {
      const real = action === null ? null : view.realAction(playerOf(env.agentSelection), action);
      env.step(real, options);
      if (isPerStep && action !== null) view.draw();
    },
    save: () => saveAround(NAME, env, view.save(0)),
    restore(state) {
      view.restore(env, state);
    },
  });
}

function augmentSteps(env: Environment, wrapper: WrapperSpec, view: SymmetricView): EnvWrapper<Observation> {
  innerSpace(env.observationSpace);
  const isPerStep = wrapper.options['per'] === 'step';
  let player: Player = 0;
  return wrapEnvSeen<Observation, Observation>(env, wrapper, {
    observationSpace: env.observationSpace,
    reset(options) {
      const result = env.reset(options);
      player = view.game.playerNames[1] === result.info['agent'] ? 1 : 0;
      view.begin(options);
      const info = view.info(player, result.info);
      return { observation: view.observation(result.observation, info), info };
    },
    step(action, options) {
      const result = env.step(view.realAction(player, action), options);
      if (isPerStep) view.draw();
      const info = view.info(player, result.info);
      return { ...result, observation: view.observation(result.observation, info), info };
    },
    save: () => saveAround(NAME, env, view.save(player)),
    restore(state) {
      player = view.restore(env, state);
    },
  });
}
