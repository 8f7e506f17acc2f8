import { NO_ACTION } from '../../env/game.js';
import { NO_RESULT, NUMBER_COLUMNS } from './column-table.js';
import type { ShardColumns } from './shard-columns.js';

/** Tolerance of the sum of a policy: thousands of float32 numbers. */
const SUM_TOLERANCE = 1e-3;
/** Greatest weight of a policy: far above any use, and sums of weights stay exact. */
export const MAX_POLICY_WEIGHT = 65_536;

/** Describes the first value that is not among its column's `values`; null if there is none. */
function unknownValue(columns: ShardColumns): string | null {
  for (const { name, key, values, absent } of NUMBER_COLUMNS) {
    if (values === undefined) continue;
    const row = columns[key].findIndex((value) => !values.includes(value) && value !== absent);
    if (row !== -1) return `${name} ${columns[key][row]!} in row ${row}`;
  }
  return null;
}

/** Describes the first number outside its range; null if there is none. Written out for speed. */
function numberOutside(columns: ShardColumns): string | null {
  const { rows, policyWeights, rootValues, surprises, pliesLeft } = columns;
  for (let row = 0; row < rows; row++) {
    const weight = policyWeights[row]!;
    if (!(weight >= 0 && weight <= MAX_POLICY_WEIGHT)) return `policyWeight ${weight} in row ${row}`;
    // NaN stands for null.
    if (Math.abs(rootValues[row]!) > 1) return `rootValue ${rootValues[row]!} in row ${row}`;
    if (surprises[row]! < 0 || surprises[row] === Infinity)
      return `surprise ${surprises[row]!} in row ${row}`;
    if (pliesLeft[row] === 0) return `no plies left in row ${row}`;
  }
  return null;
}

/** Whether `actions` has `action` from `first` to `end`, where it ascends. */
function includesAction(actions: Uint16Array, first: number, end: number, action: number): boolean {
  let [low, high] = [first, end];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (actions[middle]! < action) low = middle + 1;
    else high = middle;
  }
  return low < end && actions[low] === action;
}

/** Describes the first contradiction in the actions and the policy of a row; null if there is none. */
function choiceContradiction({ rows, actionStart, actions, policies, played }: ShardColumns): string | null {
  for (let row = 0; row < rows; row++) {
    const first = actionStart[row]!;
    const end = actionStart[row + 1]!;
    let sum = 0;
    let least = 0;
    let last = -1;
    let descents = 0;
    // Without branches: this loop reads most of the file.
    for (let index = first; index < end; index++) {
      const probability = policies[index]!;
      sum += probability;
      least = probability < least ? probability : least;
      const action = actions[index]!;
      descents |= action <= last ? 1 : 0;
      last = action;
    }
    if (descents !== 0) return `actions that do not ascend in row ${row}`;
    if (least < 0) return `probability ${least} in row ${row}`;
    // NaN, too, is not within the tolerance.
    if (!(Math.abs(sum - 1) <= SUM_TOLERANCE)) return `a policy that sums to ${sum} in row ${row}`;
    const move = played[row]!;
    if (move !== NO_ACTION && !includesAction(actions, first, end, move)) {
      return `a move ${move} that was not legal in row ${row}`;
    }
  }
  return null;
}

/** Describes the first game whose rows are not adjacent, or contradict their neighbours; null if there is none. */
function gameContradiction(columns: ShardColumns): string | null {
  const { rows, gameIds, plies, pliesLeft, players, results } = columns;
  const ended = new Set<number>();
  for (let row = 1; row < rows; row++) {
    const before = row - 1;
    if (gameIds[row] !== gameIds[before]) {
      ended.add(gameIds[before]!);
      if (ended.has(gameIds[row]!)) return `game ${gameIds[row]} again, after another one, in row ${row}`;
      continue;
    }
    const length = plies[row]! + pliesLeft[row]!;
    if (plies[row]! <= plies[before]!) return `ply ${plies[row]!} after ${plies[before]!} in row ${row}`;
    if (length !== plies[before]! + pliesLeft[before]!) return `a game of ${length} plies in row ${row}`;
    const [result, earlier] = [results[row]!, results[before]!];
    // Rows before a random move have no result.
    if (earlier === NO_RESULT) continue;
    if (result !== (players[row] === players[before] ? earlier : -earlier))
      return `another result in row ${row}`;
  }
  return null;
}

/**
 * Describes the first row that contradicts itself or its game; null if there is none. Needs no rules: `checkShardRows`
 * compares rows with their positions.
 */
export function firstContradiction(columns: ShardColumns): string | null {
  return (
    unknownValue(columns) ??
    numberOutside(columns) ??
    choiceContradiction(columns) ??
    gameContradiction(columns)
  );
}
