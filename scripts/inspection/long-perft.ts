import { nextTask } from '../../agents/next-task.js';
import type { Game } from '../../env/game.js';
import { countPositions, type LastPly } from '../../env/perft.js';

/** A subtree of at most about this many positions is counted without a pause: a few milliseconds. */
const POSITIONS_AT_ONCE = 1e6;
/** Time between two pauses, in which signals are handled and progress is drawn. */
const PAUSE_MS = 100;

/**
 * Counts the positions as `countPositions` does, with pauses.
 *
 * @param onShare called at each pause with the share of the tree that is counted, in [0, 1].
 */
export async function countWithPauses<State>(
  game: Game<State>,
  state: State,
  { depth, lastPly }: { readonly depth: number; readonly lastPly: LastPly },
  onShare: (share: number) => void,
): Promise<number> {
  let pausedMs = performance.now();
  let share = 0;
  const countBelow = async (plies: number, shareBelow: number): Promise<number> => {
    const moves = game.countLegalActions(state);
    if (plies < 2 || moves ** plies <= POSITIONS_AT_ONCE) {
      share += shareBelow;
      return countPositions(game, state, plies, lastPly);
    }
    const actions = new Int32Array(game.maxLegalActions);
    const count = game.legalActions(state, actions);
    let positions = 0;
    for (const action of actions.subarray(0, count)) {
      game.apply(state, action);
      positions += await countBelow(plies - 1, shareBelow / count);
      game.undo(state);
      if (performance.now() - pausedMs < PAUSE_MS) continue;
      onShare(share);
      await nextTask();
      pausedMs = performance.now();
    }
    return positions;
  };
  return countBelow(depth, 1);
}
