import type { Game } from '../../env/game.js';
import { GameTree } from '../../session/game-tree.js';
import { treeOfQuery } from './game-link.js';
import { treeOfSgf } from './sgf-text.js';

/**
 * The game of a text: SGF, an address of the page, or the position of a game.
 *
 * @param game whose position it may be.
 * @throws errors of `treeOfSgf` and `treeOfQuery`; NotationError for an unreadable position.
 */
export async function treeOfText(text: string, game: Game<unknown>): Promise<GameTree> {
  const content = text.trim();
  if (content.startsWith('(')) return treeOfSgf(content);
  const [, query] = /^https?:.*#\/\w+\?(.*)$/.exec(content) ?? [];
  const tree = query === undefined ? null : treeOfQuery(new URLSearchParams(query));
  return tree ?? new GameTree(game, content);
}
