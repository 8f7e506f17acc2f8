import * as z from 'zod';
import type { ImmediateAgent } from '../../agents/immediate/immediate-agent.js';
import { createImmediateAgent, isImmediate } from '../../agents/agent-from-spec.js';
import { type AgentSpec, parseAgentSpec } from '../../agents/agent-spec.js';
import { AgentError } from '../../agents/agent-error.js';
import type { Action, Game } from '../../env/game.js';
import { createRng } from '../../env/random.js';
import { quote } from '../../env/text/quoted-text.js';
import { chooseForAll } from '../play/choices.js';
import { pointsOfOutcome } from '../play/outcome-points.js';

/** Settings for evaluating openings. */
export const BalanceSettings = z.strictObject({
  /** Text of the agent that evaluates the position after an opening. */
  judge: z.string().default('alphabeta:nodes=50000'),
  /** Greatest absolute value that counts as even. */
  maxValue: z.number().min(0).max(1).default(0.15),
  /** Texts of the agents that play games from the opening, each against itself. */
  players: z
    .array(z.string())
    .readonly()
    .default(['alphabeta:nodes=400', 'alphabeta:nodes=600', 'alphabeta:nodes=900', 'alphabeta:nodes=1300']),
});
export type BalanceSettings = z.infer<typeof BalanceSettings>;

/** The judgement of an opening. */
export const Balance = z.strictObject({
  /** Value of the position after it, in [-1, 1], to player 0. */
  value: z.number().min(-1).max(1),
  /** Points of player 0 in each game; null if no games were played because the value is not even. */
  points: z
    .array(z.literal([0, 0.5, 1]))
    .readonly()
    .nullable(),
  /** Whether the value is small and neither player won all games. */
  isBalanced: z.boolean(),
});
export type Balance = z.infer<typeof Balance>;

function agentOf<State>(game: Game<State>, text: string): ImmediateAgent<State> {
  const spec = parseAgentSpec(text);
  if (!isImmediate(spec)) {
    throw new AgentError('agent-option', `expected a hand-written agent to judge openings, got '${text}'`);
  }
  return createImmediateAgent<State>(spec, game);
}

/** Agents that report the value of a position. */
const JUDGES: readonly AgentSpec['kind'][] = ['alphabeta', 'solver'];

/**
 * The agent that judges openings.
 *
 * @throws AgentError for its text, or an agent with a network or without values.
 */
export function judgeOf<State>(game: Game<State>, text: string): ImmediateAgent<State> {
  const judge = agentOf(game, text);
  if (JUDGES.includes(parseAgentSpec(text).kind)) return judge;
  const expected = `expected an agent that values positions as judge, ${JUDGES.join(' or ')}`;
  throw new AgentError('agent-option', `${expected}, got ${quote(text)}`);
}

function stateAfter<State>(game: Game<State>, opening: readonly Action[]): State {
  const state = game.initialState();
  for (const action of opening) game.apply(state, action);
  return state;
}

/** Points of player 0 in the agent's game against itself; a truncated game is half a point. */
async function playOut<State>(
  agent: ImmediateAgent<State>,
  opening: readonly Action[],
): Promise<0 | 0.5 | 1> {
  const { game } = agent;
  const state = stateAfter(game, opening);
  const rng = createRng(0, 'playOut');
  while (game.outcome(state) === null && game.ply(state) < game.plyLimit) {
    const [choice] = await chooseForAll(agent, [{ state, rng }]);
    game.apply(state, choice!.action);
  }
  return pointsOfOutcome(game.outcome(state) ?? 0);
}

/**
 * Judges an opening by a search of the position after it, and by games from there.
 *
 * @param opening legal moves that do not end the game.
 * @throws AgentError for an agent's text, an agent with a network, or a judge without values.
 */
export async function judgeOpening<State>(
  game: Game<State>,
  opening: readonly Action[],
  { judge, maxValue, players }: BalanceSettings,
): Promise<Balance> {
  const state = stateAfter(game, opening);
  const [choice] = await chooseForAll(judgeOf(game, judge), [{ state, rng: createRng(0, 'judge') }]);
  const toMover = choice!.value ?? 0;
  const value = game.currentPlayer(state) === 0 ? toMover : 0 - toMover;
  if (Math.abs(value) > maxValue) return { value, points: null, isBalanced: false };
  const points: (0 | 0.5 | 1)[] = [];
  for (const text of players) points.push(await playOut(agentOf(game, text), opening));
  const isOneSided = points.length > 0 && [0, 1].some((all) => points.every((each) => each === all));
  return { value, points, isBalanced: !isOneSided };
}
