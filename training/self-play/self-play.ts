import { EvaluationBatch, type Evaluator } from '../../agents/evaluators/evaluator.js';
import type { GameRange } from './game-range.js';
import type { FinishedGame } from './game-record.js';
import { SelfPlayGame, type SelfPlayRules } from './self-play-game.js';

/**
 * Games of a network against itself, many at once: each puts the one position it waits for into a batch, the
 * batch is evaluated, and each goes on, to its next move or its end, by itself.
 *
 * A game's course depends on the seed, its number, the settings of its moves and the evaluations. So with an
 * evaluator whose answer for a position doesn't depend on the batch, neither `concurrentGames`, `batchSize`,
 * nor how the games are divided among calls changes any game.
 *
 * @param onGame called with each game as it ends.
 * @returns the games by number.
 */
export async function playSelfPlayGames<State>(
  rules: SelfPlayRules<State>,
  range: GameRange,
  evaluator: Evaluator,
  onGame?: (game: FinishedGame) => void,
): Promise<readonly FinishedGame[]> {
  const end = range.firstGame + range.games;
  const capacity = Math.min(rules.config.concurrentGames, range.games);
  const batch = new EvaluationBatch(rules.game, capacity, evaluator.readsInputs);
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
        finished.push(game.finish());
        onGame?.(finished.at(-1)!);
      }
    }
    if (batch.size > 0) await evaluator.evaluate(batch);
    for (const [index, game] of waiting.entries()) game.receive(batch, index);
    running = waiting;
  }
  return finished.sort((a, b) => a.gameId - b.gameId);
}
