import { join } from 'node:path';
import { createAgent } from '../../agents/create-agent.js';
import { escapeOption } from '../../agents/agent-spec.js';
import { exists } from '../../data/files/atomic-file.js';
import type { Game } from '../../env/game.js';
import { checkpointModelPath } from '../checkpoints/checkpoint-files.js';
import { openModelFile } from '../export/model-file.js';
import { readRecords, type RunRecord, writeRecord } from './run-record-file.js';
import { runPaths } from './run-folder.js';
import { measureAccuracy, type MoveAccuracy } from '../matches/move-accuracy.js';
import type { SolvedPosition } from '../matches/solved-positions.js';

/** Name of the file of a run that holds its `AccuracyRecord`s. */
export const ACCURACY_FILE = 'accuracy.jsonl';

/** A line of `accuracy.jsonl`: how often a generation's network finds best moves of solved positions. */
export interface AccuracyRecord extends RunRecord, MoveAccuracy {
  /** How the network moves: `policy`, its most probable move, or `N simulations` of search. */
  readonly key: string;
}

/** What is measured of a run. */
export interface RunAccuracyOptions {
  readonly game: Game<unknown>;
  readonly positions: readonly SolvedPosition[];
  /** Generations of the run, from 0. */
  readonly generations: number;
  /** MCTS simulations of the network that searches. */
  readonly simulations: number;
  readonly seed: number;
  readonly onRecord: (record: AccuracyRecord) => void;
}

/** The agents of a checkpoint by how they move. */
function agentsOf(model: string, simulations: number): Readonly<Record<string, string>> {
  const path = escapeOption(model);
  return {
    policy: `policy:model=${path}`,
    [`${simulations} simulations`]: `mcts:model=${path},simulations=${simulations}`,
  };
}

/**
 * Measures every generation of a run that has a checkpoint, alone and with search, and notes it in the run's folder in
 * place of what was measured before.
 *
 * @throws AgentError for a damaged model; DataError for files that cannot be read or written.
 */
export async function measureRun(folder: string, options: RunAccuracyOptions): Promise<void> {
  const { game, positions, generations, simulations, seed, onRecord } = options;
  const paths = runPaths(folder);
  for (let generation = 0; generation <= generations; generation++) {
    const checkpoint = paths.checkpoint(generation);
    if (!(await exists(checkpoint))) continue;
    for (const [key, text] of Object.entries(agentsOf(checkpointModelPath(checkpoint), simulations))) {
      const agent = await createAgent(text, game, openModelFile);
      try {
        const accuracy = await measureAccuracy(agent, positions, seed);
        const record: AccuracyRecord = { generation, key, ...accuracy };
        await writeRecord(join(folder, ACCURACY_FILE), record);
        onRecord(record);
      } finally {
        await agent.dispose();
      }
    }
  }
}

/** What `measureRun` noted. Throws what `readRecords` throws. */
export function readAccuracies(folder: string): Promise<readonly AccuracyRecord[]> {
  return readRecords<AccuracyRecord>(join(folder, ACCURACY_FILE));
}
