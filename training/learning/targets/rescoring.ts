import type { Agent } from '../../../agents/agent.js';
import { NO_RESULT } from '../../../data/shards/column-table.js';
import { lastRows, type ShardColumns } from '../../../data/shards/shard-columns.js';
import { convertDatasets, type DatasetRequest } from '../../../data/datasets/dataset-tools.js';
import { lambdaValues } from '../../../data/shards/lambda-values.js';
import { samplesOf } from '../../../data/datasets/row-filter.js';
import type { Sample } from '../../../data/shards/sample.js';
import { checkShardRows } from '../../../data/shards/shard-check.js';
import { checkGame } from '../../../data/shards/shard.js';
import type { Game } from '../../../env/game.js';
import { createGame } from '../../../env/games.js';
import { createRng, type Rng } from '../../../env/random.js';
import { openAgent } from '../../export/open-agent.js';
import { chooseForRows, moveTargets, type ValuedChoice } from '../../play/agent-targets.js';

/** Changes to the targets of rows; null: unchanged. */
export interface Rescoring {
  /** Text of an agent whose value of the position becomes the root value. */
  readonly agent: string | null;
  /**
   * Whether the agent's move becomes the policy, with weight 1 in every row: also in those of cheap searches and of
   * adjudicated ends, which had none. They count as rows without a search then. Needs `agent`.
   */
  readonly agentMoves: boolean;
  /** In [0, 1]; mixes root values with those of later rows (`lambdaValues`). */
  readonly lambda: number | null;
  /** Whether games that reached the ply limit count as drawn, from their last random move on. */
  readonly drawsTruncated: boolean;
  /** Seed of the agent's random streams. */
  readonly seed: number;
}

/**
 * The rows that count as drawn: in games at the ply limit, those after the last ply without a row. That ply
 * may have been a random move, and the result says nothing about the positions before it.
 */
function drawnRows(columns: ShardColumns, { plyLimit }: Game<unknown>): ReadonlySet<number> {
  const { gameIds, plies, pliesLeft, results } = columns;
  const drawn = new Set<number>();
  for (const [gameId, last] of lastRows(columns)) {
    const length = plies[last]! + pliesLeft[last]!;
    // A shorter game without a result was resigned right after a random move.
    if (results[last] !== NO_RESULT || length < plyLimit) continue;
    for (let row = last; gameIds[row] === gameId && plies[row] === length - 1 - (last - row); row--)
      drawn.add(row);
  }
  return drawn;
}

/**
 * Applies a rescoring to rows of one shard, with the agent's choices if there is an agent.
 *
 * @param isDrawn `[samples]` whether each counts as drawn.
 */
function rescoreRows(
  samples: readonly Sample[],
  choices: readonly ValuedChoice[] | null,
  isDrawn: readonly boolean[],
  { agentMoves, lambda }: Rescoring,
): readonly Sample[] {
  const judged = samples.map((sample, row): Sample => {
    return {
      ...sample,
      ...(choices !== null && agentMoves && moveTargets(sample, choices[row]!.action)),
      rootValue: choices === null ? sample.rootValue : choices[row]!.value,
      result: isDrawn[row] === true ? 0 : sample.result,
    };
  });
  if (lambda === null) return judged;
  const mixed = lambdaValues(judged, lambda);
  return judged.map((sample, row) => ({ ...sample, rootValue: mixed[row]! }));
}

/**
 * Writes a dataset with the rows of other datasets and new values, and the agent's moves as policies if asked for. All
 * other columns are kept, except the results of truncated games and, with new policies, the weight and the search. The
 * weight of root values against results is not stored in the data: it is the learner's `valueMix`.
 *
 * @returns the number of rows of the new dataset.
 * @throws TrainingError `agent-value` for an agent that reports no value.
 * @throws AgentError for the agent's text or model.
 * @throws DataError `shard-rules`, `shard-encoding`, `shard-format`, and as `mergeDatasets` does.
 * @see Ross et al. 2011, "A reduction of imitation learning and structured prediction to no-regret online learning":
 *   an expert labels the positions that the learner itself reaches.
 */
export async function rescoreDataset(request: DatasetRequest, rescoring: Rescoring): Promise<number> {
  const { agent: text, agentMoves, lambda, drawsTruncated, seed } = rescoring;
  let game: Game<unknown> | null = null;
  let agent: Agent<unknown> | null = null;
  try {
    const rows = await convertDatasets(request, {
      operation: 'rescore',
      options: {
        ...(text !== null && { agent: text, seed }),
        ...(agentMoves && { agentMoves }),
        ...(lambda !== null && { lambda }),
        ...(drawsTruncated && { truncated: 'draw' }),
      },
      parts: [''],
      take: async ({ path, shard, rows: kept, onShare }, parts) => {
        const { metadata, columns } = shard;
        const known = (game ??= createGame(metadata.game, metadata.rules));
        if (text === null) checkGame(path, shard, known);
        else {
          // Agents search positions in which there are moves.
          checkShardRows(path, shard);
          agent ??= await openAgent(text, known);
        }
        // Values mix with those of all later rows of a game, including rows that are filtered out.
        const isMixed = lambda !== null;
        const needed = isMixed ? Array.from({ length: columns.rows }, (_, row) => row) : kept;
        const found = samplesOf(columns, needed);
        const rngOf = ({ gameId, ply }: Pick<Sample, 'gameId' | 'ply'>): Rng =>
          createRng(seed, 'rescore', metadata.seed, metadata.generation, gameId, ply);
        const choices = agent === null ? null : await chooseForRows(agent, found, rngOf, onShare);
        const drawn = drawsTruncated ? drawnRows(columns, known) : new Set<number>();
        const isDrawn = Array.from(needed, (row) => drawn.has(row));
        const rescored = rescoreRows(found, choices, isDrawn, rescoring);
        const samples = isMixed ? Array.from(kept, (row) => rescored[row]!) : rescored;
        await parts.get('')!.add(metadata, samples);
      },
    });
    return rows['']!;
  } finally {
    await (agent as Agent<unknown> | null)?.dispose();
  }
}
