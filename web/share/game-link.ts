import { positionAfter } from '../../env/replay/replay.js';
import { GameTree } from '../../session/game-tree.js';
import { createTable } from '../board/rules/tables.js';

/** The part of an address, after `?`, that holds the moves to the current position. */
export function linkQuery(tree: GameTree): string {
  const { game, start, current } = tree;
  const isUsual = start === game.formatPosition(game.initialState());
  const moves = tree.actionsTo(current).map((action) => game.formatAction(action));
  return new URLSearchParams({
    game: game.id,
    rules: game.rules,
    ...(!isUsual && { position: start }),
    ...(moves.length > 0 && { moves: moves.join(' ') }),
  }).toString();
}

/**
 * The game of such an address; null if it holds none.
 *
 * @throws NotationError for unknown rules, an unreadable position or move; IllegalActionError.
 */
export function treeOfQuery(query: URLSearchParams): GameTree | null {
  const id = query.get('game');
  if (id === null) return null;
  const { game } = createTable(id, query.get('rules') ?? undefined);
  const position = query.get('position') ?? undefined;
  const moves = query.get('moves') ?? '';
  // Names an illegal move with its reason.
  const end = positionAfter(game, { moves, position });
  const tree = new GameTree(game, position);
  for (let index = 0; index < game.historyLength(end); index++) tree.play(game.historyAction(end, index));
  return tree;
}
