import type { Run } from '../run/run-folder.js';
import { readRecords, writeRecord } from '../run/run-record-file.js';
import type { EvaluationRecord } from '../run/run-records.js';
import { writeRunEvents } from '../run/tensorboard/run-events.js';
import type { MatchStageServices, StageEnd } from './loop-services.js';
import { playMatchOfRun } from './match-of-run.js';
import { agentOfGeneration, agentOfKey, hasTimeForMatch, remainingOpponents } from './opponents.js';

/** The opponent of the next match of a generation; null if there is none. */
async function nextOpponent(run: Run, generation: number): Promise<string | null> {
  const evaluations = await readRecords(run.paths, 'evaluations');
  const [key] = await remainingOpponents(run, generation, evaluations);
  if (key === undefined) return null;
  const metrics = await readRecords(run.paths, 'metrics');
  return hasTimeForMatch(run.config, generation, { metrics, evaluations }) ? key : null;
}

/**
 * Plays the generation's matches that are not recorded yet, within the share of the run's time for matches.
 *
 * @throws as `playMatchOfRun` does; TrainingError `run-damaged` for records; DataError for files that cannot be
 *   read or written.
 */
export async function playMatches(
  run: Run,
  generation: number,
  { pool, observer, signal, now }: MatchStageServices,
): Promise<StageEnd> {
  const { config, paths } = run;
  const { games, openingPlies } = config.evaluation;
  for (;;) {
    const key = await nextOpponent(run, generation);
    if (key === null) return 'done';
    if (signal.aborted) return 'stopped';
    observer.onStage('evaluation', generation, `${games} games with ${key}`);
    const played = await playMatchOfRun(
      run,
      { pool, observer, signal },
      {
        generation,
        key,
        games,
        openingPlies,
        seed: config.seed,
        agents: (places) => [agentOfGeneration(config, places, generation), agentOfKey(config, places, key)],
      },
    );
    if (played === null) return 'stopped';
    const { result, ...facts } = played;
    const record: EvaluationRecord = { generation, key, games, ...result, ...facts, time: now() / 1000 };
    await writeRecord(paths, 'evaluations', record);
    await writeRunEvents(paths);
    observer.onEvaluation(record);
  }
}
