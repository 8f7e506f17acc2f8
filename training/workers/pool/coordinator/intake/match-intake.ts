import { errorText } from '../../../../../env/text/error-text.js';
import { createGame } from '../../../../../env/games.js';
import { parseJsonText } from '../../../../../env/text/json-text.js';
import { cleanMessage } from '../../../../../env/text/quoted-text.js';
import { endOf, pointsOf } from '../../../../matches/match-end.js';
import { keyOfGame, type MatchGame } from '../../../../matches/match-game.js';
import type { MatchJob } from '../../../../matches/match-job.js';
import type { ProcessPool } from '../../../process-pool.js';
import { reportedGames } from '../../wire/pool-messages.js';
import { Lie } from './lie.js';
import { gamesToReplay } from './replayed-games.js';

/** Maximum size of the games of a job, in bytes. */
export const MAX_GAMES_BYTES = 64 * 2 ** 20;

/** Maximum number of values in the JSON of a job's games. */
const MAX_VALUES = 5_000_000;

/** Describes how the moves or the end of a game violate the rules; null if they do not. */
function gameProblem(job: MatchJob, { agentPlayer, opening, moves, end, points }: MatchGame): string | null {
  const game = createGame(job.game.id, job.game.rules);
  const state = game.initialState();
  for (const action of opening) game.apply(state, action);
  for (const { action, side } of moves) {
    if (endOf(game, state, null) !== null) return 'moves after its end';
    if ((game.currentPlayer(state) === agentPlayer ? 0 : 1) !== side) return 'a move of the other agent';
    if (!game.isLegal(state, action)) return `an action ${action} that is not legal`;
    game.apply(state, action);
  }
  const found = endOf(game, state, null);
  if (found !== end) return `the end '${end}' in place of '${found ?? 'none'}'`;
  const expected = pointsOf(game, state, { agentPlayer, forfeit: null });
  return points === expected ? null : `${points} points in place of ${expected}`;
}

/** Maps the games of a job to their plans. @throws Lie. */
function gamesByPlan(job: MatchJob, content: Uint8Array): readonly MatchGame[] {
  const { plyLimit } = createGame(job.game.id, job.game.rules);
  const schema = reportedGames(job.plans.length, plyLimit);
  let parsed: ReturnType<typeof schema.safeParse>;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(content);
    parsed = schema.safeParse(parseJsonText(text, { maxValues: MAX_VALUES }));
  } catch (error) {
    // The error of JSON quotes the text.
    throw new Lie(`games that cannot be read: ${cleanMessage(errorText(error))}`);
  }
  if (!parsed.success) throw new Lie('games that cannot be read');
  const found = new Map(parsed.data.map((game) => [keyOfGame(game), game]));
  if (found.size !== parsed.data.length || found.size !== job.plans.length)
    throw new Lie('other games than planned');
  return job.plans.map((plan) => {
    const game = found.get(keyOfGame(plan));
    if (game?.opening.join() !== plan.opening.join()) throw new Lie('other games than planned');
    return game;
  });
}

/** The moves of a game without their times. */
function movesOf({ moves, end, points }: MatchGame): string {
  return JSON.stringify({
    moves: moves.map(({ action, side, value }) => ({ action, side, value })),
    end,
    points,
  });
}

/**
 * Judges the match games of a worker: each is checked by the rules, and a share of them is replayed by the agents.
 *
 * @returns the games in the order of their plans.
 * @throws Lie with what is wrong; TrainingError `worker-died`.
 */
export async function judgeGames(
  pool: ProcessPool,
  { job, content, share }: { readonly job: MatchJob; readonly content: Uint8Array; readonly share: number },
): Promise<readonly MatchGame[]> {
  const games = gamesByPlan(job, content);
  for (const game of games) {
    const problem = gameProblem(job, game);
    if (problem !== null) throw new Lie(`a game with ${problem}`);
  }
  const replayed = gamesToReplay({ firstGame: 0, games: games.length }, share);
  if (replayed.length === 0) return games;
  const again = new Map<number, MatchGame>();
  const plans = replayed.map((index) => job.plans[index]!);
  await pool.run('playMatch', { ...job, plans }, { onNote: (game) => again.set(keyOfGame(game), game) });
  for (const index of replayed) {
    const [sent, own] = [games[index]!, again.get(keyOfGame(games[index]!))!];
    if (movesOf(sent) !== movesOf(own)) throw new Lie('a game that differs when it is replayed');
  }
  return games;
}
