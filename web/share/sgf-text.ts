import type { GameTree } from '../../session/game-tree.js';
import { recordOfTree, treeOfRecord } from '../../session/record-tree.js';
import { createTable } from '../board/rules/tables.js';

/**
 * The game of an SGF text. Its reader is loaded by the first call.
 *
 * @throws DataError `record-*`; NotationError for an unreadable move.
 */
export async function treeOfSgf(text: string): Promise<GameTree> {
  const { readSgf } = await import('../../data/records/sgf-reading.js');
  const record = readSgf(text, { number: 1 });
  return treeOfRecord(createTable(record.game, record.rules).game, record);
}

/**
 * A game of Gess as SGF, with its variations and comments.
 *
 * @throws DataError `record-game` for other games.
 */
export async function sgfOfTree(tree: GameTree): Promise<string> {
  const { writeSgf } = await import('../../data/records/sgf-writing.js');
  return writeSgf(recordOfTree(tree));
}
