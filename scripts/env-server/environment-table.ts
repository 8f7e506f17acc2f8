import type { EnvironmentSpaces } from './answers.js';
import type { EnvSpec } from '../../env/environments/env-spec.js';
import type { TurnEnvironment } from '../../env/environments/environment.js';
import { make } from '../../env/environments/make.js';
import { registeredIds } from '../../env/environments/registry.js';
import { planVector } from '../../env/environments/vector/make-vec.js';
import { VectorEnv } from '../../env/environments/vector/vector-env.js';
import { sizeOfShape } from '../../env/spaces/shape.js';
import { createOpponent } from '../../agents/environment-opponent.js';
import { softwareVersion } from '../../training/software-version.js';
import { RequestError } from '../line-protocol/json-requests.js';
import { encodeObservation, planesShape, spacesOf, statusOf, type Status } from './answers.js';
import type { PlanesType } from './frames/batch-frame.js';
import { FRAMES_VERSION } from './frames/frame-format.js';
import { type SteppedEnvironments, SteppedTurns, SteppedVector } from './frames/stepped-environments.js';
import type { Method, Parameters } from './requests.js';

/** Version of the protocol; it changes whenever clients have to change. */
const PROTOCOL_VERSION = 1;
/** Greatest number of open environments, those of vectors included. */
const MAX_ENVIRONMENTS = 1024;
/** Most bytes of the planes of a vector. */
const MAX_PLANES_BYTES = 32 * 1024 * 1024;

/** An open environment or vector, the shape of its planes, and their type in frames. */
export interface OpenEnvironment {
  readonly stepped: SteppedEnvironments;
  readonly shape: readonly number[];
  readonly spaces: EnvironmentSpaces;
  readonly planes: PlanesType;
}

/** The environments of one client, by number, and the methods of the protocol. */
export class EnvironmentTable {
  private readonly open = new Map<number, OpenEnvironment>();
  private made = 0;

  /** Each method's answer. */
  readonly methods: { readonly [M in Method]: (params: Parameters<M>) => unknown } = {
    hello: ({ frames }) => ({
      protocol: PROTOCOL_VERSION,
      ...(frames === undefined ? {} : { frames: FRAMES_VERSION }),
      software: softwareVersion(),
      environments: registeredIds(),
    }),
    make: (params) => this.make(params),
    makeVector: (params) => this.makeVector(params),
    spec: ({ env }) => ({ spec: shownSpec(this.find(env).stepped.spec) }),
    spaces: ({ env }) => this.find(env).spaces,
    reset: ({ env, observe, ...options }) => {
      const found = this.findTurns(env);
      found.env.reset(options);
      return this.answer(found, observe);
    },
    last: ({ env }) => this.answer(this.findTurns(env), true),
    observe: ({ env, agent }) => {
      const found = this.findTurns(env);
      return encodeObservation(found.env.observe(agent), found.shape);
    },
    step: ({ env, action, seconds, observe }) => {
      const found = this.findTurns(env);
      found.env.step(action, { seconds });
      return this.answer(found, observe);
    },
    render: ({ env, index }) => ({ text: this.find(env).stepped.render(index) }),
    save: ({ env }) => ({ state: this.findTurns(env).env.save() }),
    restore: ({ env, state, observe }) => {
      const found = this.findTurns(env);
      found.env.restore(state);
      return this.answer(found, observe);
    },
    close: ({ env }) => {
      this.find(env).stepped.close();
      this.open.delete(env);
      return {};
    },
  };

  /** Forgets an environment whose state is unknown, if it is open. */
  abandon(number: number): void {
    this.open.delete(number);
  }

  /** @throws RequestError `env-closed`. */
  find(number: number): OpenEnvironment {
    const found = this.open.get(number);
    if (found === undefined)
      throw new RequestError('env-closed', `expected an open environment, got ${number}`);
    return found;
  }

  private findTurns(number: number): { readonly env: TurnEnvironment; readonly shape: readonly number[] } {
    const { stepped, shape } = this.find(number);
    if (stepped instanceof SteppedTurns) return { env: stepped.env, shape };
    throw new RequestError(
      'env-kind',
      `expected an environment for agents in turn, got the vector ${number}`,
    );
  }

  private make({ id, kwargs, renderMode, planes }: Parameters<'make'>): object {
    this.expectRoom(1);
    // The answers are copies.
    const env = make(id, { ...kwargs, opponent: undefined, renderMode, copy: false });
    const shape = planesShape(env);
    return this.add(env, { stepped: new SteppedTurns(env), shape, spaces: spacesOf(env), planes });
  }

  private makeVector(params: Parameters<'makeVector'>): object {
    const { id, count, kwargs, renderMode, opponent, side, autoreset, planes } = params;
    this.expectRoom(count);
    const facts = make(id, { ...kwargs, renderMode, opponent: undefined });
    const shape = planesShape(facts);
    const bytes = count * 4 * sizeOfShape(shape);
    if (bytes > MAX_PLANES_BYTES) {
      const expected = `expected a vector whose planes have at most ${MAX_PLANES_BYTES} bytes as float32`;
      throw new RequestError('env-count', `${expected}, got ${bytes}`);
    }
    const each = { ...kwargs, opponent, side, renderMode };
    const { create } = planVector(id, { ...each, numEnvs: count }, { createOpponent });
    const envs = new VectorEnv(new Array<typeof create>(count).fill(create), { autoreset, copy: false });
    const stepped = new SteppedVector(envs as never, facts.possibleAgents, (index) =>
      envs.envs[index]!.render(),
    );
    return this.add(facts, { stepped, shape, spaces: spacesOf(facts), planes });
  }

  private add({ possibleAgents, renderMode }: TurnEnvironment, added: OpenEnvironment): object {
    this.made += 1;
    this.open.set(this.made, added);
    const { stepped, spaces } = added;
    const { metadata, count } = stepped;
    const spec = shownSpec(stepped.spec);
    return { env: this.made, spec, count, metadata, renderMode, possibleAgents, ...spaces };
  }

  private expectRoom(count: number): void {
    let open = 0;
    for (const { stepped } of this.open.values()) open += stepped.count;
    if (open + count > MAX_ENVIRONMENTS) {
      throw new RequestError('env-count', `expected at most ${MAX_ENVIRONMENTS} open environments`);
    }
  }

  /** The status of an environment, with the observation of the agent to act if requested. */
  private answer(
    { env, shape }: { readonly env: TurnEnvironment; readonly shape: readonly number[] },
    observe: boolean,
  ): Status {
    const status = statusOf(env);
    if (!observe) return status;
    return { ...status, observation: encodeObservation(env.observe(env.agentSelection), shape) };
  }
}

/** The spec from which a client can make the environment, without `copy`, which this server sets. */
function shownSpec(spec: EnvSpec | null): EnvSpec | null {
  if (spec === null) return null;
  const kwargs = Object.fromEntries(Object.entries(spec.kwargs).filter(([name]) => name !== 'copy'));
  return { ...spec, kwargs };
}
