import { EvaluationBatch, type Evaluator } from '../../agents/evaluators/evaluator.js';
import type { GameRange } from './game-range.js';
import type { FinishedGame } from './training-game.js';
import { SelfPlayGame, type SelfPlayRules } from './self-play-game.js';

/**
 * Plays games of a network against itself, many concurrently: each game adds the position that it needs evaluated to a
 * batch, the batch is evaluated, and each game continues until its next evaluation or its end.
 *
 * A game depends on the seed, its number, the settings of its moves and the evaluations. If the evaluation of a
 * position does not depend on its batch, then `concurrentGames`, `batchSize` and the division of the games among calls
 * do not change any game.
 *
 * @param onGame called with each game as it ends.
 * @returns the games, ordered by number.
 * @throws errors of the evaluator and of the teacher.
 */
export async function playSelfPlayGames<State>(
  rules: SelfPlayRules<State>,
  range: GameRange,
  evaluator: Evaluator,
  onGame?: (game: FinishedGame) => void,
): Promise<readonly FinishedGame[]> {
  const end = range.firstGame + range.games;
  const capacity = Math.min(rules.config.concurrentGames, range.games);
  const batch = new EvaluationBatch(rules.game, capacity, evaluator);
  const finished: FinishedGame[] = [];
  let nextGame = range.firstGame;
  let running: SelfPlayGame<State>[] = [];
  while (running.length > 0 || nextGame < end) {
    while (running.length < capacity && nextGame < end) running.push(new SelfPlayGame(rules, nextGame++));
    batch.clear();
    const waiting: SelfPlayGame<State>[] = [];
    for (const game of running) {
      if (game.advance(batch)) waiting.push(game);
      else {
        const played = game.finish();
        finished.push((await rules.teacher?.teach(played)) ?? played);
        onGame?.(finished.at(-1)!);
      }
    }
    if (batch.size > 0) await evaluator.evaluate(batch);
    for (const [index, game] of waiting.entries()) game.receive(batch, index);
    running = waiting;
  }
  return finished.sort((a, b) => a.gameId - b.gameId);
}
