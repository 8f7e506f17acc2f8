import * as z from 'zod';
import type { CheckErrorCode } from '../../errors.js';
import { CheckError } from '../../errors.js';
import type { Discrete } from '../../spaces/discrete.js';
import type { Space } from '../../spaces/space.js';
import { describeValue } from '../../text/described-value.js';
import { formatViolation } from '../../spaces/violation.js';
import type { RenderMode } from '../env-spec.js';
import type { Environment, Info, Turn, TurnEnvironment } from '../environment.js';
import type { AnyEnvironment, EnvWrapper, TurnWrapper } from './wrapping.js';
import { isTurnBased, readOptions, wrapEnv, wrapTurn } from './wrapping.js';

const NAME = 'passiveChecker';

const Options = z.strictObject({ allowReuse: z.boolean().default(false) });

/** Options of `passiveChecker`. */
export interface PassiveCheckerOptions {
  /**
   * Whether observations may reuse their arrays from step to step, as with `copy: false`. Defaults to false.
   */
  readonly allowReuse?: boolean | undefined;
}

/**
 * Checks all values that pass through an environment against its spaces and the contract, like Gymnasium's
 * `PassiveEnvChecker`, but at every call, and with errors instead of warnings. It changes nothing, and beyond
 * forwarding calls it only reads the properties of agents. For development: it makes steps several times slower.
 *
 * @throws CheckError at the call that reveals a fault, with the fault's code.
 * @throws EnvError `wrapper-options`.
 */
export function passiveChecker<Seen>(
  env: TurnEnvironment<Seen>,
  options?: PassiveCheckerOptions,
): TurnWrapper<Seen>;
export function passiveChecker<Seen>(
  env: Environment<Seen>,
  options?: PassiveCheckerOptions,
): EnvWrapper<Seen>;
export function passiveChecker<Seen>(
  env: TurnEnvironment<Seen> | Environment<Seen>,
  options?: PassiveCheckerOptions,
): AnyEnvironment<Seen> {
  const { allowReuse } = readOptions(NAME, Options, options);
  const isInTurns = isTurnBased(env);
  const { renderMode, metadata } = env;
  if (renderMode !== null && !metadata.renderModes.includes(renderMode)) {
    fail('check-render', `a render mode of ${metadata.renderModes.join(', ')}`, renderMode);
  }
  return isInTurns ? checkTurns(env, allowReuse) : checkSteps(env, allowReuse);
}

/** @throws CheckError */
function fail(code: CheckErrorCode, expected: string, found: unknown, where = ''): never {
  const place = where === '' ? '' : ` from ${where}`;
  throw new CheckError(code, `expected ${expected}, got ${describeValue(found)}${place}`);
}

/** Finds observations that share memory with the agent's previous one. */
class ReuseCheck {
  private readonly before = new Map<string, readonly ArrayBufferLike[]>();
  private readonly isOff: boolean;

  constructor(isOff: boolean) {
    this.isOff = isOff;
  }

  check(agent: string, observation: unknown, where: string): void {
    if (this.isOff) return;
    const buffers = buffersOf(observation);
    if (buffers.some((buffer) => this.before.get(agent)?.includes(buffer))) {
      fail('check-reuse', 'new arrays in each observation', 'those of the previous one', where);
    }
    this.before.set(agent, buffers);
  }
}

function buffersOf(value: unknown): readonly ArrayBufferLike[] {
  if (ArrayBuffer.isView(value)) return [value.buffer];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(buffersOf) : [];
}

function checkObservation<Seen>(space: Space<Seen>, observation: unknown, where: string): void {
  const violation = space.violation(observation);
  if (violation === null) return;
  throw new CheckError(
    'check-observation',
    `${formatViolation(violation)}, in the observation from ${where}`,
  );
}

function checkReward(reward: unknown, where: string): void {
  if (!Number.isFinite(reward)) fail('check-reward', 'a finite number as reward', reward, where);
}

function checkFlag(flag: unknown, where: string): void {
  if (typeof flag !== 'boolean') fail('check-flag', 'true or false', flag, where);
}

/** The expected `info.legalActions`: `some` for the agent to move, else `none`. */
type Expected = 'some' | 'none';

function checkInfo(info: unknown, actions: Discrete, expected: Expected, where: string): void {
  if (typeof info !== 'object' || info === null) fail('check-info', 'an object as info', info, where);
  const { legalActions, ply } = info as Info;
  if (!Number.isInteger(ply) || ply < 0) fail('check-info', 'an integer ply of 0 or more', ply, where);
  if (!(legalActions instanceof Int32Array))
    fail('check-info', 'legalActions in an Int32Array', legalActions, where);
  if (expected === 'none' && legalActions.length > 0) {
    fail('check-legal-actions', 'no legal actions', legalActions.length, where);
  }
  if (expected === 'some' && legalActions.length === 0) {
    fail('check-legal-actions', 'legal actions', 'none', where);
  }
  for (const [index, action] of legalActions.entries()) {
    if (!actions.contains(action)) fail('check-legal-actions', actions.toString(), action, where);
    if (index > 0 && action <= legalActions[index - 1]!) {
      fail('check-legal-actions', 'ascending legal actions', action, where);
    }
  }
}

/** A mask in the observation or the info must agree with `legalActions`. */
function checkMask(observation: unknown, info: Info, actions: Discrete, where: string): void {
  const inInfo = info['actionMask'];
  const mask = inInfo ?? (observation as { readonly actionMask?: unknown } | null)?.actionMask;
  if (!(mask instanceof Uint8Array)) return;
  const { legalActions } = info;
  const masked = mask.reduce((sum, legal) => sum + legal, 0);
  const agrees =
    mask.length === actions.n &&
    masked === legalActions.length &&
    legalActions.every((action) => mask[action - actions.start] === 1);
  if (!agrees)
    fail('check-mask', `a mask of the ${legalActions.length} legal actions`, `one of ${masked}`, where);
}

function checkRendered(mode: RenderMode | null, rendered: unknown): void {
  const isText = mode === 'ansi' || mode === 'svg';
  if (isText && typeof rendered !== 'string') fail('check-render', `a text in mode ${mode}`, rendered);
  if (!isText && rendered !== null) fail('check-render', `null in mode ${mode ?? 'none'}`, rendered);
}

function checkSteps<Seen>(env: Environment<Seen>, allowReuse: boolean): EnvWrapper<Seen> {
  const reuse = new ReuseCheck(allowReuse);
  const { observationSpace, actionSpace } = env;
  const checkSeen = (observation: Seen, info: Info, where: string): void => {
    checkObservation(observationSpace, observation, where);
    checkMask(observation, info, actionSpace, where);
    reuse.check('', observation, where);
  };
  return wrapEnv(
    env,
    { name: NAME, options: { allowReuse } },
    {
      reset(options) {
        const result = env.reset(options);
        const { observation, info } = result;
        // A finished game has none.
        checkInfo(info, actionSpace, info.legalActions.length > 0 ? 'some' : 'none', 'reset');
        checkSeen(observation, info, 'reset');
        return result;
      },
      step(action, options) {
        const result = env.step(action, options);
        const { observation, reward, terminated, truncated, info } = result;
        checkReward(reward, 'step');
        checkFlag(terminated, 'step');
        checkFlag(truncated, 'step');
        checkInfo(info, actionSpace, terminated || truncated ? 'none' : 'some', 'step');
        checkSeen(observation, info, 'step');
        return result;
      },
      render() {
        const rendered = env.render();
        checkRendered(env.renderMode, rendered);
        return rendered;
      },
    },
  );
}

function checkTurns<Seen>(env: TurnEnvironment<Seen>, allowReuse: boolean): TurnWrapper<Seen> {
  const reuse = new ReuseCheck(allowReuse);
  return wrapTurn(
    env,
    { name: NAME, options: { allowReuse } },
    {
      reset(options) {
        env.reset(options);
        if (env.agents.length === 0) fail('check-agents', 'agents', 'none', 'reset');
        checkAgents(env, 'reset');
      },
      step(action, options) {
        const { agents, agentSelection } = env;
        env.step(action, options);
        checkAgents(env, 'step');
        const left = agents.length - env.agents.length;
        if (left !== (action === null ? 1 : 0) || (left === 1 && env.agents.includes(agentSelection))) {
          const expected = action === null ? `${agentSelection} to leave` : 'no agent to leave';
          fail('check-agents', expected, env.agents.join(', '), 'step');
        }
      },
      observe(agent) {
        const observation = env.observe(agent);
        checkObservation(env.observationSpace(agent), observation, 'observe');
        const info = env.infos[agent];
        if (info !== undefined) checkMask(observation, info, env.actionSpace(agent), 'observe');
        return observation;
      },
      last() {
        const turn = env.last();
        const agent = env.agentSelection;
        checkObservation(env.observationSpace(agent), turn.observation, 'last');
        checkMask(turn.observation, turn.info, env.actionSpace(agent), 'last');
        reuse.check(agent, turn.observation, 'last');
        checkLast(env, turn);
        return turn;
      },
      render() {
        const rendered = env.render();
        checkRendered(env.renderMode, rendered);
        return rendered;
      },
    },
  );
}

/** Checks that `last` agrees with the properties of the selected agent. */
function checkLast(env: TurnEnvironment<unknown>, turn: Turn<unknown>): void {
  const agent = env.agentSelection;
  const told = [turn.reward, turn.terminated, turn.truncated, turn.info.legalActions.join()];
  const known = [
    env.cumulativeRewards[agent],
    env.terminations[agent],
    env.truncations[agent],
    env.infos[agent]?.legalActions.join(),
  ];
  const index = told.findIndex((value, which) => !Object.is(value, known[which]));
  if (index !== -1) fail('check-last', `${describeValue(known[index])} of ${agent}`, told[index], 'last');
}

/** Checks the properties of agents. */
function checkAgents(env: TurnEnvironment<unknown>, where: string): void {
  const { agents, possibleAgents, agentSelection, terminations, truncations, infos } = env;
  const known = possibleAgents.filter((agent) => agents.includes(agent));
  if (known.join() !== agents.join()) {
    fail('check-agents', `some of ${possibleAgents.join(', ')}, in order`, agents.join(', '), where);
  }
  if (!(agents.length === 0 ? possibleAgents : agents).includes(agentSelection)) {
    fail('check-agents', 'an agent to be selected', agentSelection, where);
  }
  const { rewards, cumulativeRewards } = env;
  for (const [name, record] of Object.entries({
    rewards,
    cumulativeRewards,
    terminations,
    truncations,
    infos,
  })) {
    const keys = possibleAgents.filter((agent) => Object.hasOwn(record, agent));
    if (keys.length !== Object.keys(record).length || keys.join() !== agents.join()) {
      fail('check-agents', `${name} of ${agents.join(', ')}`, Object.keys(record).join(', '), where);
    }
  }
  for (const agent of agents) {
    checkReward(rewards[agent], where);
    checkReward(cumulativeRewards[agent], where);
    checkFlag(terminations[agent], where);
    checkFlag(truncations[agent], where);
    const mayAct = agent === agentSelection && terminations[agent] !== true && truncations[agent] !== true;
    checkInfo(infos[agent], env.actionSpace(agent), mayAct ? 'some' : 'none', where);
  }
}
