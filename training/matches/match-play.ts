import type { Agent, Choice, Turn } from '../../agents/agent.js';
import { type Game, outcomeTo } from '../../env/game.js';
import { createRng } from '../../env/random.js';
import { chooseForAll } from '../play/choices.js';
import type { GameEnd, GamePlan, MatchGame, MatchMove } from './match-game.js';

/** Settings for playing the games of a match. */
export interface PlayOptions {
  /** Seed of each game's random streams. */
  readonly seed: number;
  /** Most games that are played at once. */
  readonly atOnce: number;
  /** Longest time of a move of the agent and of the opponent, in ms; a longer one loses. Null: no limit. */
  readonly forfeitMs: readonly [number | null, number | null];
}

interface RunningGame<State> {
  readonly plan: GamePlan;
  readonly state: State;
  readonly moves: MatchMove[];
  /** The turns of the agent and of the opponent in this game. */
  readonly turns: readonly [Turn<State>, Turn<State>];
  /** The side whose move took too long. */
  overdue: 0 | 1 | null;
}

/**
 * Plays games between two agents, several at once, so that agents with a network evaluate their positions in batches. A game
 * depends on its plan and the seed only, unless an agent depends on the clock.
 *
 * @param onGame called with each game when it ends.
 */
export async function playGames<State>(
  agents: readonly [Agent<State>, Agent<State>],
  plans: readonly GamePlan[],
  { seed, atOnce, forfeitMs }: PlayOptions,
  onGame: (game: MatchGame) => void,
): Promise<void> {
  const { game } = agents[0];
  const queue = plans.slice();
  let running: RunningGame<State>[] = [];
  while (running.length > 0 || queue.length > 0) {
    running.push(...queue.splice(0, atOnce - running.length).map((plan) => startGame(game, plan, seed)));
    for (const side of [0, 1] as const) {
      const toMove = running.filter((entry) => sideToMove(game, entry) === side);
      await moveAll(agents[side], toMove, { side, forfeitMs: forfeitMs[side] });
      for (const entry of toMove) {
        const end = endOf(game, entry);
        if (end !== null) onGame(finish(game, entry, end));
      }
      running = running.filter((entry) => endOf(game, entry) === null);
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
  return { plan, state, moves: [], turns: [turn(0), turn(1)], overdue: null };
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
  const startMs = performance.now();
  const choices = await chooseForAll(
    agent,
    entries.map(({ turns }) => turns[side]),
  );
  // Whole microseconds, which a record keeps exactly.
  const ms = Math.round(((performance.now() - startMs) * 1000) / entries.length) / 1000;
  for (const [index, entry] of entries.entries()) {
    const { action, value } = choices[index]!;
    entry.moves.push({ action, side, ms, ...(value !== undefined && { value }) });
    if (forfeitMs !== null && ms > forfeitMs) entry.overdue = side;
    else playChoice(agent, entry.state, choices[index]!);
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

/** Null for a game that is not over. */
function endOf<State>(game: Game<State>, { state, overdue }: RunningGame<State>): GameEnd | null {
  if (overdue !== null) return 'time';
  if (game.outcome(state) !== null) return 'rules';
  return game.ply(state) >= game.plyLimit ? 'plies' : null;
}

function finish<State>(
  game: Game<State>,
  { plan, state, moves, overdue }: RunningGame<State>,
  end: GameEnd,
): MatchGame {
  const outcome = game.outcome(state) ?? 0;
  const toAgent = overdue === null ? outcomeTo(plan.agentPlayer, outcome) : overdue === 0 ? -1 : 1;
  return { ...plan, moves, end, points: toAgent > 0 ? 1 : toAgent < 0 ? 0 : 0.5 };
}
