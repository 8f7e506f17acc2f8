import { createGame } from '../../../env/games.js';
import type { BoardRules, Table } from './board-rules.js';
import { connectFourBoardRules } from './connect-four-board-rules.js';
import { gessBoardRules } from './gess-board-rules.js';
import { quessBoardRules } from './quess-board-rules.js';

/** The boards by the id of their game. The states of a game are known to its own board only. */
const BOARDS: Readonly<Record<string, BoardRules<never>>> = {
  gess: gessBoardRules,
  quess: quessBoardRules,
  'connect-four': connectFourBoardRules,
};

/**
 * A game and its board.
 *
 * @throws NotationError `game-unknown`, `rules-unknown`.
 */
export function createTable(id: string, rules?: string): Table {
  const game = createGame(id, rules);
  return { game, board: BOARDS[id] as BoardRules };
}
