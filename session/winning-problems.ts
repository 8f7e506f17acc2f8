import type { Action, Game } from '../env/game.js';
import { WinningMoves } from './winning-moves.js';

/** A position in which one move, and no other, wins by force. */
export interface WinningProblem {
  readonly position: string;
  /** The move that wins. */
  readonly move: string;
  /** Own moves until the win: 1 or 2. */
  readonly moves: 1 | 2;
}

/** Plies before the end of a game at which its winner had the last move but one, and the last. */
const PLIES_BEFORE_END = [3, 1] as const;

/**
 * The problems in the last moves of a finished game: positions with exactly one winning move.
 *
 * @param state the end of the game, with its history; left unchanged.
 */
export function problemsOfGame<State>(game: Game<State>, state: State): readonly WinningProblem[] {
  const wins = new WinningMoves(game);
  const length = game.historyLength(state);
  return PLIES_BEFORE_END.flatMap((plies) => {
    if (game.outcome(state) === null || length < plies) return [];
    const before = game.clone(state);
    for (let ply = 0; ply < plies; ply++) game.undo(before);
    // Without its history, which the text does not have.
    const position = game.formatPosition(before);
    const problem = problemAt(game, wins, game.parsePosition(position));
    return problem === null ? [] : [{ position, ...problem }];
  });
}

/** The one winning move of a position; null if there are none or several. */
function problemAt<State>(
  game: Game<State>,
  wins: WinningMoves<State>,
  state: State,
): Pick<WinningProblem, 'move' | 'moves'> | null {
  const only = (actions: readonly Action[], moves: 1 | 2): Pick<WinningProblem, 'move' | 'moves'> | null =>
    actions.length === 1 ? { move: game.formatAction(actions[0]!), moves } : null;
  const inOne = wins.inOne(state);
  return inOne.length > 0 ? only(inOne, 1) : only(wins.inTwo(state), 2);
}
