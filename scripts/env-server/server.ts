import type { TurnEnvironment } from '../../env/environments/environment.js';
import { make } from '../../env/environments/make.js';
import { registeredIds } from '../../env/environments/registry.js';
import { CodedError } from '../../env/errors.js';
import { softwareVersion } from '../../training/software-version.js';
import { encodeObservation, statusOf, type Status } from './answers.js';
import { errorAnswer, idOf, parseLine, RequestError } from '../line-protocol/json-requests.js';
import { type Method, type Parameters, parseRequest, type Request } from './requests.js';

/** Version of the protocol; it changes whenever clients have to change. */
export const PROTOCOL_VERSION = 1;
/** Greatest number of open environments. */
export const MAX_ENVIRONMENTS = 1024;

/** An open environment and the shape of its planes. */
interface OpenEnvironment {
  readonly env: TurnEnvironment;
  readonly shape: readonly number[];
}

/** Shape of the `observation` in an environment's observations, from the JSON of their space. */
function planesShape(env: TurnEnvironment): readonly number[] {
  const space = JSON.parse(JSON.stringify(env.observationSpace(env.possibleAgents[0]!))) as {
    readonly spaces: { readonly observation: { readonly shape: readonly number[] } };
  };
  return space.spaces.observation.shape;
}

/** The environments of one client, by number, and the methods of the protocol. */
class EnvironmentTable {
  private readonly open = new Map<number, OpenEnvironment>();
  private made = 0;

  /** Each method's answer. */
  readonly methods: { readonly [M in Method]: (params: Parameters<M>) => unknown } = {
    hello: () => ({
      protocol: PROTOCOL_VERSION,
      software: softwareVersion(),
      environments: registeredIds(),
    }),
    make: ({ id, kwargs, renderMode }) => {
      if (this.open.size >= MAX_ENVIRONMENTS) {
        throw new RequestError('env-count', `expected at most ${MAX_ENVIRONMENTS} open environments`);
      }
      const env = make(id, { ...kwargs, opponent: undefined, renderMode });
      this.made += 1;
      this.open.set(this.made, { env, shape: planesShape(env) });
      const { spec, metadata, possibleAgents } = env;
      return { env: this.made, spec, metadata, renderMode, possibleAgents, ...this.spacesOf(env) };
    },
    spec: ({ env }) => ({ spec: this.find(env).env.spec }),
    spaces: ({ env }) => this.spacesOf(this.find(env).env),
    reset: ({ env, observe, ...options }) => {
      const found = this.find(env);
      found.env.reset(options);
      return this.answer(found, observe);
    },
    last: ({ env }) => this.answer(this.find(env), true),
    observe: ({ env, agent }) => {
      const found = this.find(env);
      return encodeObservation(found.env.observe(agent), found.shape);
    },
    step: ({ env, action, seconds, observe }) => {
      const found = this.find(env);
      found.env.step(action, { seconds });
      return this.answer(found, observe);
    },
    render: ({ env }) => ({ text: this.find(env).env.render() }),
    save: ({ env }) => ({ state: this.find(env).env.save() }),
    restore: ({ env, state, observe }) => {
      const found = this.find(env);
      found.env.restore(state);
      return this.answer(found, observe);
    },
    close: ({ env }) => {
      this.find(env).env.close();
      this.open.delete(env);
      return {};
    },
  };

  /** Closes an environment whose state is unknown, if it is open. */
  abandon(number: number): void {
    this.open.delete(number);
  }

  private find(number: number): OpenEnvironment {
    const found = this.open.get(number);
    if (found === undefined)
      throw new RequestError('env-closed', `expected an open environment, got ${number}`);
    return found;
  }

  private spacesOf(env: TurnEnvironment): object {
    const byAgent = (space: (agent: string) => unknown): object =>
      Object.fromEntries(env.possibleAgents.map((agent) => [agent, space(agent)]));
    return {
      observationSpaces: byAgent((agent) => env.observationSpace(agent)),
      actionSpaces: byAgent((agent) => env.actionSpace(agent)),
    };
  }

  /** The status of an environment, with the observation of the agent to act if requested. */
  private answer({ env, shape }: OpenEnvironment, observe: boolean): Status {
    const status = statusOf(env);
    if (!observe) return status;
    return { ...status, observation: encodeObservation(env.observe(env.agentSelection), shape) };
  }
}

/** The answer to a request, as JSON. An environment that fails by a defect is closed; the others stay open. */
function answer<M extends Method>(
  table: EnvironmentTable,
  id: Request['id'],
  { method, params }: { readonly method: M; readonly params: Parameters<M> },
): string {
  try {
    return JSON.stringify({ id, result: table.methods[method](params) });
  } catch (cause) {
    if (cause instanceof CodedError) throw cause;
    if ('env' in params) table.abandon(params.env);
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new RequestError('failed', `${method} failed by a defect: ${message}`, { cause });
  }
}

/**
 * Returns a function that answers the lines of one client (docs/envs/protocol.md). The answer to any line is a line of JSON,
 * `{"id", "result"}` or `{"id", "error": {"code", "message"}}`.
 *
 * @param onDefect is called with the error of a request that failed by a defect, after which the server continues.
 */
export function createEnvServer(
  onDefect: (error: unknown) => void = () => undefined,
): (line: string) => string {
  const table = new EnvironmentTable();
  return (line) => {
    let id: Request['id'] | null = null;
    try {
      const json = parseLine(line);
      id = idOf(json);
      const request = parseRequest(json);
      return answer(table, request.id, request);
    } catch (error) {
      if (error instanceof RequestError && error.code === 'failed') onDefect(error.cause);
      return errorAnswer(id, error);
    }
  };
}
