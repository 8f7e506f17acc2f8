import * as z from 'zod';
import type { Agent, Choice, Turn } from '../../agents/agent.js';
import { type Action, type Game, outcomeTo, type Player } from '../../env/game.js';
import { createRng } from '../../env/random.js';
import { chooseForAll } from '../play/choices.js';
import { EloEstimate, estimateElo } from '../statistics/elo.js';
import { pentanomialOf } from '../statistics/pentanomial.js';
import { drawOpening } from '../play/opening.js';

/** Settings of a match. */
export interface MatchOptions {
  /** Even: every opening is played twice, with colours exchanged. */
  readonly games: number;
  /** Number of the first opening, so that a match can be played in parts. */
  readonly firstPair?: number;
  /** Seed of the openings and of each game's random streams. */
  readonly seed: number;
  /** Random plies before the agents play. */
  readonly openingPlies: number;
  /** Called with the number of finished games when games end. */
  readonly onGame?: (finished: number) => void;
}

/** One finished game. */
export interface MatchGame {
  /** Number of the opening, which is played twice. */
  readonly pair: number;
  /** The first agent's player. */
  readonly agentPlayer: Player;
  /** Points of the first agent; a truncated game is half a point for each agent. */
  readonly points: 0 | 0.5 | 1;
  readonly truncated: boolean;
  readonly plies: number;
}

const count = z.int().min(0);

/** Mean thinking time of each agent. */
const MsPerMove = z.strictObject({ agent: z.number().min(0), opponent: z.number().min(0) });

/** A match, from the first agent's view. */
export const MatchResult = EloEstimate.extend({
  wins: count,
  /** Drawn by the rules, or truncated. */
  draws: count,
  losses: count,
  /** Draws by reaching the ply limit. */
  truncated: count,
  /** `[5]` how many pairs brought 0, ½, 1, 1½ and 2 points. */
  pentanomial: z.array(count).length(5).readonly(),
  meanPlies: z.number().min(0),
  msPerMove: MsPerMove,
});
export type MatchResult = z.infer<typeof MatchResult>;

interface RunningGame<State> {
  readonly pair: number;
  readonly agentPlayer: Player;
  readonly state: State;
  /** The turns of the agent and of the opponent in this game. */
  readonly turns: readonly [Turn<State>, Turn<State>];
}

/** Total thinking time by side: 0 the agent, 1 the opponent. */
interface Clock {
  readonly elapsedMs: [number, number];
  readonly moves: [number, number];
}

/** Finished games and thinking time, not yet summarised. */
export interface PlayedGames {
  readonly games: readonly MatchGame[];
  readonly clock: Clock;
}

/**
 * Plays the games of a match concurrently, so that agents with a network evaluate their positions in batches.
 * The same seed produces the same games, unless an agent depends on the clock.
 */
export async function playGames<State>(
  agent: Agent<State>,
  opponent: Agent<State>,
  options: MatchOptions,
): Promise<PlayedGames> {
  const game = agent.game;
  const sides = [agent, opponent] as const;
  const clock: Clock = { elapsedMs: [0, 0], moves: [0, 0] };
  const finished: MatchGame[] = [];
  let running = startGames(game, options);
  while (running.length > 0) {
    for (const side of [0, 1] as const) {
      const toMove = running.filter((entry) => sideToMove(game, entry) === side);
      const startMs = performance.now();
      const choices = await chooseForAll(
        sides[side],
        toMove.map((entry) => entry.turns[side]),
      );
      clock.elapsedMs[side] += performance.now() - startMs;
      clock.moves[side] += choices.length;
      toMove.forEach((entry, index) => {
        playChoice(game, entry.state, choices[index]!, sides[side].name);
      });
      const over = toMove.filter((entry) => isOver(game, entry.state));
      finished.push(...over.map((entry) => summariseGame(game, entry)));
      running = running.filter((entry) => !isOver(game, entry.state));
      if (over.length > 0) options.onGame?.(finished.length);
    }
  }
  finished.sort((a, b) => a.pair - b.pair || a.agentPlayer - b.agentPlayer);
  return { games: finished, clock };
}

/** Plays a whole match between two agents of the same game. */
export async function playMatch<State>(
  agent: Agent<State>,
  opponent: Agent<State>,
  options: MatchOptions,
): Promise<MatchResult> {
  return summariseMatch([await playGames(agent, opponent, options)]);
}

/** The result of a match, from its parts. */
export function summariseMatch(parts: readonly PlayedGames[]): MatchResult {
  const games = parts.flatMap((part) => part.games);
  const pointsOfPair = new Map<number, number>();
  for (const { pair, points } of games) pointsOfPair.set(pair, (pointsOfPair.get(pair) ?? 0) + points);
  const pentanomial = pentanomialOf(pointsOfPair.values());
  const count = (points: number): number => games.filter((entry) => entry.points === points).length;
  const meanMs = (side: 0 | 1): number => {
    const moves = parts.reduce((sum, part) => sum + part.clock.moves[side], 0);
    return moves === 0 ? 0 : parts.reduce((sum, part) => sum + part.clock.elapsedMs[side], 0) / moves;
  };
  return {
    wins: count(1),
    draws: count(0.5),
    losses: count(0),
    truncated: games.filter((entry) => entry.truncated).length,
    ...estimateElo(pentanomial),
    pentanomial,
    meanPlies: games.reduce((sum, entry) => sum + entry.plies, 0) / games.length,
    msPerMove: { agent: meanMs(0), opponent: meanMs(1) },
  };
}

function startGames<State>(game: Game<State>, options: MatchOptions): RunningGame<State>[] {
  const firstPair = options.firstPair ?? 0;
  return Array.from({ length: options.games }, (_, index) => {
    const pair = firstPair + (index >> 1);
    const agentPlayer = (index % 2) as Player;
    const opening = drawOpening(game, createRng(options.seed, 'opening', pair), options.openingPlies);
    const state = game.initialState();
    for (const action of opening) game.apply(state, action);
    const turn = (side: number): Turn<State> => ({
      state,
      rng: createRng(options.seed, 'match', pair, agentPlayer, side),
    });
    return { pair, agentPlayer, state, turns: [turn(0), turn(1)] };
  });
}

function sideToMove<State>(game: Game<State>, entry: RunningGame<State>): 0 | 1 {
  return game.currentPlayer(entry.state) === entry.agentPlayer ? 0 : 1;
}

function isOver<State>(game: Game<State>, state: State): boolean {
  return game.outcome(state) !== null || game.ply(state) >= game.plyLimit;
}

function playChoice<State>(game: Game<State>, state: State, choice: Choice, name: string): void {
  const action: Action = choice.action;
  if (!game.isLegal(state, action)) {
    throw new Error(
      `agent ${name} chose the illegal ${game.formatAction(action)} in ${game.formatPosition(state)}`,
    );
  }
  game.apply(state, action);
}

function summariseGame<State>(game: Game<State>, entry: RunningGame<State>): MatchGame {
  const outcome = game.outcome(entry.state);
  const toAgent = outcome === null ? 0 : outcomeTo(entry.agentPlayer, outcome);
  return {
    pair: entry.pair,
    agentPlayer: entry.agentPlayer,
    points: toAgent > 0 ? 1 : toAgent < 0 ? 0 : 0.5,
    truncated: outcome === null,
    plies: game.ply(entry.state),
  };
}
