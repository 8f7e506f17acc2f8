import * as z from 'zod';
import { EnvError } from '../../errors.js';
import type { Environment, TurnEnvironment } from '../environment.js';
import type { AnyEnvironment, EnvWrapper, TurnChanges, TurnWrapper } from './wrapping.js';
import { isTurnBased, readOptions, wrapEnv, wrapTurn } from './wrapping.js';

const NAME = 'orderEnforcing';

const Options = z.strictObject({ disableRenderOrderEnforcing: z.boolean().default(false) });

/** Options of `orderEnforcing`. */
export interface OrderEnforcingOptions {
  /** Whether `render` is allowed before `reset`. Defaults to false. */
  readonly disableRenderOrderEnforcing?: boolean | undefined;
}

/** Checks of the life cycle of an environment. */
interface Order {
  begin(): void;
  close(): void;
  /** @throws EnvError `env-closed`. */
  checkOpen(member: string): void;
  /** @throws EnvError `env-closed`, `reset-needed`. */
  checkBegun(member: string): void;
}

function createOrder(): Order {
  let isBegun = false;
  let isClosed = false;
  const checkOpen = (member: string): void => {
    if (isClosed) throw new EnvError('env-closed', `expected no call after close, got ${member}`);
  };
  return {
    begin: () => {
      isBegun = true;
    },
    close: () => {
      isClosed = true;
    },
    checkOpen,
    checkBegun: (member) => {
      checkOpen(member);
      if (!isBegun) throw new EnvError('reset-needed', `expected reset first, got ${member}`);
    },
  };
}

/**
 * Rejects calls that need an episode before `reset` or `restore`, with EnvError `reset-needed`, like Gymnasium's
 * `OrderEnforcing` and PettingZoo's `OrderEnforcingWrapper`. In an environment for agents in turn these are `step`,
 * `last`, `observe`, `render`, `save` and the properties of agents. After `close`, everything but constant facts and
 * `close` is rejected with `env-closed`.
 *
 * @throws EnvError `wrapper-options`.
 */
export function orderEnforcing<Seen>(
  env: TurnEnvironment<Seen>,
  options?: OrderEnforcingOptions,
): TurnWrapper<Seen>;
export function orderEnforcing<Seen>(
  env: Environment<Seen>,
  options?: OrderEnforcingOptions,
): EnvWrapper<Seen>;
export function orderEnforcing<Seen>(
  env: TurnEnvironment<Seen> | Environment<Seen>,
  options?: OrderEnforcingOptions,
): AnyEnvironment<Seen> {
  const { disableRenderOrderEnforcing } = readOptions(NAME, Options, options);
  return isTurnBased(env)
    ? enforceTurns(env, disableRenderOrderEnforcing)
    : enforceSteps(env, disableRenderOrderEnforcing);
}

/** Properties of agents, which belong to an episode. */
const AGENT_PROPERTIES = [
  'agents',
  'agentSelection',
  'rewards',
  'cumulativeRewards',
  'terminations',
  'truncations',
  'infos',
] as const;

function enforceTurns<Seen>(
  env: TurnEnvironment<Seen>,
  disableRenderOrderEnforcing: boolean,
): TurnWrapper<Seen> {
  const order = createOrder();
  const changes: TurnChanges<Seen> = {
    observe(agent) {
      order.checkBegun('observe');
      return env.observe(agent);
    },
    last() {
      order.checkBegun('last');
      return env.last();
    },
    reset(options) {
      order.checkOpen('reset');
      env.reset(options);
      order.begin();
    },
    step(action, options) {
      order.checkBegun('step');
      env.step(action, options);
    },
    ...lifeOf(env, order, disableRenderOrderEnforcing),
  };
  for (const name of AGENT_PROPERTIES) {
    Object.defineProperty(changes, name, {
      enumerable: true,
      configurable: true,
      get: () => {
        order.checkBegun(name);
        return env[name];
      },
    });
  }
  return wrapTurn(env, { name: NAME, options: { disableRenderOrderEnforcing } }, changes);
}

function enforceSteps<Seen>(env: Environment<Seen>, disableRenderOrderEnforcing: boolean): EnvWrapper<Seen> {
  const order = createOrder();
  return wrapEnv(
    env,
    { name: NAME, options: { disableRenderOrderEnforcing } },
    {
      reset(options) {
        order.checkOpen('reset');
        const result = env.reset(options);
        order.begin();
        return result;
      },
      step(action, options) {
        order.checkBegun('step');
        return env.step(action, options);
      },
      ...lifeOf(env, order, disableRenderOrderEnforcing),
    },
  );
}

type Life = Pick<Environment<unknown>, 'render' | 'close' | 'save' | 'restore'>;

/** The members that both kinds of environments have. */
function lifeOf(env: AnyEnvironment, order: Order, disableRenderOrderEnforcing: boolean): Life {
  return {
    render() {
      if (disableRenderOrderEnforcing) order.checkOpen('render');
      else order.checkBegun('render');
      return env.render();
    },
    close() {
      env.close();
      order.close();
    },
    save() {
      order.checkBegun('save');
      return env.save();
    },
    restore(state) {
      order.checkOpen('restore');
      env.restore(state);
      order.begin();
    },
  };
}
