import { type Action, type Game, NO_ACTION, resultOf } from '../../env/game.js';
import type { EvaluationBatch } from '../evaluators/evaluator.js';
import { prove } from './backup.js';
import { proofOf, PROVEN_LOSS, UNPROVEN } from './proof.js';
import { NO_NODE, ROOT, type SearchTree } from './search-tree.js';

/**
 * A legal action that wins immediately, or `NO_ACTION`. Teytaud and Teytaud 2010, "On the huge benefit of decisive
 * moves in Monte-Carlo tree search algorithms".
 *
 * @param state is left unchanged.
 * @param batch lists its legal actions.
 */
export function findWin<State>(
  game: Game<State>,
  state: State,
  { legalActions, legalCount }: Pick<EvaluationBatch, 'legalActions' | 'legalCount'>,
): Action {
  for (let i = 0; i < legalCount; i++) {
    i = game.nextMayWin?.(state, legalActions, legalCount, i) ?? i;
    if (i === legalCount) break;
    if (wins(game, state, legalActions[i]!)) return legalActions[i]!;
  }
  return NO_ACTION;
}

/** Whether the player to move can win immediately. */
function wins<State>(game: Game<State>, state: State, action: Action): boolean {
  if (game.mayWin?.(state, action) === false) return false;
  return resultOf(game, state, action) === 1;
}

/**
 * Proves all moves of an expanded root that end the game, which costs less than one evaluation by a network.
 *
 * @param state the root's position, which is left unchanged.
 */
export function proveEndings<State>(game: Game<State>, tree: SearchTree, state: State): void {
  const start = tree.edgeStart[ROOT]!;
  for (let edge = start; edge < start + tree.edgeCount[ROOT]!; edge++) {
    if (tree.proofs[edge] !== UNPROVEN || tree.children[edge] !== NO_NODE) continue;
    const result = resultOf(game, state, tree.actions[edge]!);
    if (result !== null) prove(tree, ROOT, edge, proofOf(result));
  }
}

/**
 * Proves the moves of a node that lose to the same answer as another: if the opponent threatens to win, only a few
 * moves remain, and these may have small priors.
 *
 * @param reply the node's position, left unchanged, and the action that wins at once after one of its moves.
 */
export function proveAnswered<State>(
  tree: SearchTree,
  node: number,
  reply: { readonly game: Game<State>; readonly state: State; readonly answer: Action },
): void {
  const { game, state, answer } = reply;
  const start = tree.edgeStart[node]!;
  const end = start + tree.edgeCount[node]!;
  for (let edge = start; edge < end; edge++) {
    if (tree.proofs[edge] !== UNPROVEN || tree.children[edge] !== NO_NODE) continue;
    game.apply(state, tree.actions[edge]!);
    const isAnswered = game.isLegal(state, answer) && wins(game, state, answer);
    game.undo(state);
    if (isAnswered) prove(tree, node, edge, PROVEN_LOSS);
  }
}
