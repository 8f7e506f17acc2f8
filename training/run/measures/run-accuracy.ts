import { formatAgentText } from '../../../agents/text/option-list.js';
import { exists } from '../../../data/files/atomic-file.js';
import type { Game } from '../../../env/game.js';
import { checkpointModelPath } from '../../checkpoints/checkpoint-files.js';
import { withAgent } from '../../export/open-agent.js';
import { measureAccuracy } from '../../matches/move-accuracy.js';
import type { SolvedPosition } from '../../matches/solved-positions.js';
import { runPaths } from '../run-paths.js';
import { writeRecord } from '../run-record-file.js';
import type { AccuracyRecord } from '../run-records.js';

/** Settings of a measurement. */
export interface RunAccuracyOptions {
  readonly game: Game<unknown>;
  readonly positions: readonly SolvedPosition[];
  /** The last generation to measure; the first is 0. */
  readonly generations: number;
  /** MCTS simulations of the network that searches. */
  readonly simulations: number;
  readonly seed: number;
  /** Called before an agent is measured. */
  readonly onAgent: (generation: number, key: string) => void;
  /** Called with the number of its positions that are measured. */
  readonly onPosition: (done: number) => void;
  readonly onRecord: (record: AccuracyRecord) => void;
}

/** The agents that use a checkpoint's model, by their way of choosing moves. */
function agentsOf(model: string, simulations: number): Readonly<Record<string, string>> {
  return {
    policy: formatAgentText('policy', { model }),
    [`${simulations} simulations`]: formatAgentText('mcts', { model, simulations }),
  };
}

/**
 * Measures each generation of a run that has a checkpoint, without and with search, and replaces earlier measurements
 * in the run's `accuracy.jsonl`.
 *
 * @throws AgentError for a damaged model; TrainingError `run-damaged` for records; DataError for files that cannot be
 *   read or written.
 */
export async function measureRun(folder: string, options: RunAccuracyOptions): Promise<void> {
  const { game, positions, generations, simulations, seed } = options;
  const paths = runPaths(folder);
  for (let generation = 0; generation <= generations; generation++) {
    const checkpoint = paths.checkpoint(generation);
    if (!(await exists(checkpoint))) continue;
    for (const [key, text] of Object.entries(agentsOf(checkpointModelPath(checkpoint), simulations))) {
      await withAgent(text, game, async (agent) => {
        options.onAgent(generation, key);
        const accuracy = await measureAccuracy(agent, positions, seed, options.onPosition);
        const record: AccuracyRecord = { generation, key, ...accuracy };
        await writeRecord(paths, 'accuracies', record);
        options.onRecord(record);
      });
    }
  }
}
