import * as z from 'zod';
import { EnvError, IllegalActionError } from '../../errors.js';
import type { Action } from '../../game.js';
import { describeValue } from '../../text/described-value.js';
import type { WrapperSpec } from '../env-spec.js';
import type { Info, StepOptions, Turn, TurnEnvironment } from '../environment.js';
import type { TurnWrapper } from './wrapping.js';
import { restoreAround, saveAround, withoutActions, withoutMask, wrapTurn } from './wrapping.js';

const EarlyEnd = z.object({
  agents: z.array(z.string()),
  agentSelection: z.string(),
  rewards: z.record(z.string(), z.number()),
  cumulativeRewards: z.record(z.string(), z.number()),
  terminated: z.boolean(),
  note: z.record(z.string(), z.number()),
});

/** The end of an episode by a wrapper, while the inner environment continues. */
export type EarlyEnd = z.infer<typeof EarlyEnd>;

/** Decides when a wrapper ends an episode. `Own` is the rule's state. */
export interface EndingRule<Own> {
  readonly schema: z.ZodType<Own>;
  /** The current state, plain JSON. */
  save(): Own;
  /** Restores a state from `save`. */
  restore(own: Own): void;
  /** Called when an episode starts. */
  reset(): void;
  /**
   * Plays the action in the inner environment, or drops it; returns the end of the episode, or null if it
   * continues.
   */
  step(action: Action, options?: StepOptions): EarlyEnd | null;
}

/** The end of an episode with the rewards of the inner environment. */
export function endHere(
  env: TurnEnvironment<unknown>,
  changes: Partial<EarlyEnd> & Pick<EarlyEnd, 'terminated'>,
): EarlyEnd {
  return {
    agents: [...env.agents],
    agentSelection: env.agentSelection,
    rewards: { ...env.rewards },
    cumulativeRewards: { ...env.cumulativeRewards },
    note: {},
    ...changes,
  };
}

/**
 * An environment whose episodes `rule` can end. Agents then leave as usual, the selected agent first. `note`
 * is added to their infos.
 */
export function wrapEnding<Seen, Own extends number | null>(
  env: TurnEnvironment<Seen>,
  wrapper: WrapperSpec,
  rule: EndingRule<Own>,
): TurnWrapper<Seen> {
  let end: EarlyEnd | null = null;
  const schema = z.object({ end: EarlyEnd.nullable(), rule: rule.schema });
  return wrapTurn(env, wrapper, {
    get agents() {
      return end?.agents ?? env.agents;
    },
    get agentSelection() {
      return end?.agentSelection ?? env.agentSelection;
    },
    get rewards() {
      return end === null ? env.rewards : ofLiving(end, end.rewards);
    },
    get cumulativeRewards() {
      return end === null ? env.cumulativeRewards : ofLiving(end, end.cumulativeRewards);
    },
    get terminations() {
      return end === null ? env.terminations : toLiving(end, end.terminated);
    },
    get truncations() {
      return end === null ? env.truncations : toLiving(end, !end.terminated);
    },
    get infos() {
      return end === null ? env.infos : infosAtEnd(env.infos, end);
    },
    observe: (agent) => (end === null ? env.observe(agent) : withoutMask(env.observe(agent))),
    last: () => (end === null ? env.last() : lastTurn(env, end)),
    reset(options) {
      env.reset(options);
      end = null;
      rule.reset();
    },
    step(action, options) {
      if (end !== null) end = leave(end, action);
      else if (action === null) env.step(action, options);
      else end = rule.step(action, options);
    },
    save: () => saveAround(wrapper.name, env, { end, rule: rule.save() }),
    restore(state) {
      const own = restoreAround({ name: wrapper.name, schema }, env, state);
      end = own.end;
      rule.restore(own.rule);
    },
  });
}

function infosAtEnd(infos: Readonly<Record<string, Info>>, { agents, note }: EarlyEnd): Record<string, Info> {
  return Object.fromEntries(agents.map((agent) => [agent, infoAtEnd(infos[agent]!, note)]));
}

function infoAtEnd(info: Info, note: EarlyEnd['note']): Info {
  return { ...withoutActions(info), ...note };
}

function lastTurn<Seen>(env: TurnEnvironment<Seen>, end: EarlyEnd): Turn<Seen> {
  const agent = end.agentSelection;
  if (end.agents.length === 0) {
    throw new EnvError('reset-needed', 'expected reset before last');
  }
  return {
    observation: withoutMask(env.observe(agent)),
    reward: end.cumulativeRewards[agent] ?? 0,
    terminated: end.terminated,
    truncated: !end.terminated,
    info: infoAtEnd(env.infos[agent]!, end.note),
  };
}

function leave(end: EarlyEnd, action: Action | null): EarlyEnd {
  if (end.agents.length === 0) {
    throw new EnvError('reset-needed', 'expected reset before step');
  }
  if (action !== null) {
    const found = describeValue(action);
    throw new IllegalActionError('game-over', `expected null: the episode is over, got action ${found}`);
  }
  const agents = end.agents.filter((agent) => agent !== end.agentSelection);
  const rewards = Object.fromEntries(agents.map((agent) => [agent, 0]));
  return { ...end, agents, agentSelection: agents[0] ?? end.agentSelection, rewards };
}

function ofLiving(end: EarlyEnd, values: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(end.agents.map((agent) => [agent, values[agent] ?? 0]));
}

function toLiving(end: EarlyEnd, value: boolean): Record<string, boolean> {
  return Object.fromEntries(end.agents.map((agent) => [agent, value]));
}
