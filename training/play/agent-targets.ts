import type { Agent, Choice, Turn } from '../../agents/agent.js';
import type { Sample } from '../../data/shards/sample.js';
import type { Action } from '../../env/game.js';
import type { Rng } from '../../env/random.js';
import { TrainingError } from '../training-error.js';
import { chooseInParts } from './choices.js';

/** An agent's choice with its value. */
export type ValuedChoice = Choice & { readonly value: number };

/** A row's position and its place in a game. */
type Row = Pick<Sample, 'position' | 'gameId' | 'ply'>;

/** @throws TrainingError `agent-value`. */
function expectValue(choice: Choice, agent: string): ValuedChoice {
  const { value } = choice;
  if (value !== undefined && Math.abs(value) <= 1) return { ...choice, value };
  const found = value === undefined ? 'none' : String(value);
  throw new TrainingError('agent-value', `expected a value from -1 to 1 by agent ${agent}, got ${found}`);
}

/**
 * Lets an agent choose in the positions of rows.
 *
 * @param rngOf the agent's random stream for a row.
 * @param onShare called with the share of the rows that is done.
 * @throws TrainingError `agent-value` for an agent that reports no value in [-1, 1]; errors of the agent.
 */
export async function chooseForRows(
  agent: Agent<unknown>,
  rows: readonly Row[],
  rngOf: (row: Row) => Rng,
  onShare?: (share: number) => void,
): Promise<readonly ValuedChoice[]> {
  const { game, name } = agent;
  const choices: ValuedChoice[] = [];
  const turnOf = (row: Row): Turn<unknown> => {
    const state = game.initialState();
    game.unpack(row.position, 0, state);
    return { state, rng: rngOf(row) };
  };
  for await (const part of chooseInParts(agent, rows, turnOf)) {
    for (const choice of part) choices.push(expectValue(choice, name));
    onShare?.(choices.length / rows.length);
  }
  return choices;
}

/** Columns of a row whose policy is an agent's move. */
type MoveTargets = Pick<Sample, 'policy' | 'policyWeight' | 'searchSize' | 'surprise'>;

/** The columns of a row that an agent's move replaces: the row counts as one without a search. */
export function moveTargets({ actions }: Pick<Sample, 'actions'>, action: Action): MoveTargets {
  const policy = Float32Array.from(actions, (candidate) => (candidate === action ? 1 : 0));
  return { policy, policyWeight: 1, searchSize: 0, surprise: null };
}
