import type { Agent, Choice, Turn } from '../../agents/agent.js';
import type { Game } from '../../env/game.js';
import { createRng } from '../../env/random.js';
import { chooseForAll } from '../play/choices.js';
import { TrainingError } from '../training-error.js';
import { endOf, pointsOf } from './match-end.js';
import {
  type Fault,
  type Forfeit,
  type GameEnd,
  type GamePlan,
  type MatchGame,
  type MatchMove,
  secondsOf,
} from './match-game.js';

/** Settings for playing the games of a match. */
export interface MatchPlayOptions {
  /** Seed of each game's random streams. */
  readonly seed: number;
  /** Greatest number of games played at once. */
  readonly atOnce: number;
  /** Longest time for a move of the agent and of the opponent, in ms; a longer move loses. Null: no limit. */
  readonly forfeitMs: readonly [number | null, number | null];
}

interface RunningGame<State> {
  readonly plan: GamePlan;
  readonly state: State;
  readonly moves: MatchMove[];
  /** The turns of the agent and of the opponent in this game. */
  readonly turns: readonly [Turn<State>, Turn<State>];
  /** The loss by a move that took too long or by a fault; null: none so far. */
  forfeit: Forfeit | null;
}

/** Faults of another program, by the codes of their errors. */
const FAULT_OF_CODE: Readonly<Record<string, Fault>> = {
  'engine-illegal': 'illegal',
  'engine-ended': 'disconnect',
  'engine-silent': 'stall',
};

/**
 * Plays games between two agents, several at once, so that agents with a network evaluate their positions in batches. A
 * game depends only on its plan and the seed, unless an agent depends on the clock. Games of another program are played
 * one at a time; the program loses those in which it makes a fault.
 *
 * @param onGame called with each game when it ends.
 */
export async function playGames<State>(
  agents: readonly [Agent<State>, Agent<State>],
  plans: readonly GamePlan[],
  { seed, atOnce, forfeitMs }: MatchPlayOptions,
  onGame: (game: MatchGame) => void,
): Promise<void> {
  const { game } = agents[0];
  const most = agents.some(({ playsOneGame }) => playsOneGame === true) ? 1 : atOnce;
  const queue = plans.slice();
  let running: RunningGame<State>[] = [];
  while (running.length > 0 || queue.length > 0) {
    running.push(...queue.splice(0, most - running.length).map((plan) => startGame(game, plan, seed)));
    for (const side of [0, 1] as const) {
      const toMove = running.filter((entry) => sideToMove(game, entry) === side);
      await moveAll(agents[side], toMove, { side, forfeitMs: forfeitMs[side] });
      for (const entry of toMove) {
        const end = endOf(game, entry.state, entry.forfeit);
        if (end !== null) onGame(finish(game, entry, end));
      }
      running = running.filter((entry) => endOf(game, entry.state, entry.forfeit) === null);
    }
  }
}

function startGame<State>(game: Game<State>, plan: GamePlan, seed: number): RunningGame<State> {
  const state = game.initialState();
  for (const action of plan.opening) game.apply(state, action);
  const turn = (side: number): Turn<State> => ({
    state,
    rng: createRng(seed, 'match', plan.pair, plan.agentPlayer, side),
  });
  return { plan, state, moves: [], turns: [turn(0), turn(1)], forfeit: null };
}

function sideToMove<State>(game: Game<State>, { plan, state }: RunningGame<State>): 0 | 1 {
  return game.currentPlayer(state) === plan.agentPlayer ? 0 : 1;
}

/** Lets the agent move in all these games. */
async function moveAll<State>(
  agent: Agent<State>,
  entries: readonly RunningGame<State>[],
  { side, forfeitMs }: { readonly side: 0 | 1; readonly forfeitMs: number | null },
): Promise<void> {
  const answer = await choicesOrFault(agent, entries, side);
  if (answer === null) return;
  // Whole microseconds, which a record keeps exactly.
  const ms = Math.round((answer.ms * 1000) / entries.length) / 1000;
  for (const [index, entry] of entries.entries()) {
    const { action, value } = answer.choices[index]!;
    entry.moves.push({ action, side, ms, ...(value !== undefined && { value }) });
    if (isTooLate(agent.game, entry.state, { ms, forfeitMs })) entry.forfeit = { side, end: 'time' };
    else playChoice(agent, entry.state, answer.choices[index]!);
  }
}

/** Takes the time of a move off the mover's clock, if there is one. @returns whether the move comes too late. */
function isTooLate<State>(
  game: Game<State>,
  state: State,
  { ms, forfeitMs }: { readonly ms: number; readonly forfeitMs: number | null },
): boolean {
  if (forfeitMs !== null && ms > forfeitMs) return true;
  game.spendTime?.(state, secondsOf(ms));
  return game.outcome(state) !== null;
}

/** The agent's choices and its thinking time; null after a fault of another program, which forfeits its one game. */
async function choicesOrFault<State>(
  agent: Agent<State>,
  entries: readonly RunningGame<State>[],
  side: 0 | 1,
): Promise<{ readonly choices: readonly Choice[]; readonly ms: number } | null> {
  const turns = entries.map((entry) => entry.turns[side]);
  try {
    await agent.prepare?.(turns);
    const startMs = performance.now();
    const choices = await chooseForAll(agent, turns);
    return { choices, ms: performance.now() - startMs };
  } catch (error) {
    const end = error instanceof TrainingError ? FAULT_OF_CODE[error.code] : undefined;
    const [entry, ...others] = entries;
    if (end === undefined || entry === undefined || others.length > 0) throw error;
    entry.forfeit = { side, end, fault: (error as TrainingError).message };
    return null;
  }
}

function playChoice<State>({ game, name }: Agent<State>, state: State, { action }: Choice): void {
  if (!game.isLegal(state, action)) {
    throw new Error(
      `agent ${name} chose the illegal ${game.formatAction(action)} in ${game.formatPosition(state)}`,
    );
  }
  game.apply(state, action);
}

function finish<State>(
  game: Game<State>,
  { plan, state, moves, forfeit }: RunningGame<State>,
  end: GameEnd,
): MatchGame {
  const points = pointsOf(game, state, { agentPlayer: plan.agentPlayer, forfeit });
  const fault = forfeit?.fault;
  return { ...plan, moves, end, points, ...(fault !== undefined && { fault }) };
}
