import { exists } from '../../data/files/atomic-file.js';
import { playOptionsOf } from '../config/evaluation-config.js';
import { networkAgent } from '../matches/network-agent.js';
import type { Run } from '../run/run-folder.js';
import { readRecords, writeRecord } from '../run/run-record-file.js';
import type { EvaluationRecord } from '../run/run-records.js';
import { writeRunEvents } from '../run/tensorboard/run-events.js';
import type { MatchServices, StageEnd } from './loop-services.js';
import { playMatchOfRun } from './match-of-run.js';

/** The key of generation 0 as an opponent in `evaluations.jsonl`. */
export const FIRST_GENERATION = 'generation-0';

/** An opponent: its key in the records, and its text as an agent. */
interface Opponent {
  readonly key: string;
  readonly agent: string;
}

/** Opponents of this generation; none if it is not due for evaluation. */
function opponentsOf({ config, paths }: Run, generation: number): readonly Opponent[] {
  const { every, opponents, simulations, playsFirst } = config.evaluation;
  const isDue = every > 0 && (generation % every === 0 || generation === config.generations);
  if (!isDue) return [];
  const fixed = opponents.map((agent) => ({ key: agent, agent }));
  if (generation === 0 || !playsFirst) return fixed;
  const play = playOptionsOf(config.evaluation);
  return [...fixed, { key: FIRST_GENERATION, agent: networkAgent(paths.checkpoint(0), simulations, play) }];
}

/** The opponents whose match is not recorded yet; none if the generation's checkpoint was removed. */
async function remainingOpponents(run: Run, generation: number): Promise<readonly Opponent[]> {
  if (!(await exists(run.paths.checkpoint(generation)))) return [];
  const records = await readRecords(run.paths, 'evaluations');
  const played = records.filter((record) => record.generation === generation).map(({ key }) => key);
  return opponentsOf(run, generation).filter(({ key }) => !played.includes(key));
}

/**
 * Plays the generation's matches that are not recorded yet.
 *
 * @throws as `playMatchOfRun` does; TrainingError `run-damaged` for records; DataError for files that cannot be
 *   read or written.
 */
export async function playMatches(
  run: Run,
  generation: number,
  { pool, observer, signal, now }: MatchServices,
): Promise<StageEnd> {
  const { config, paths } = run;
  const { games, simulations, openingPlies } = config.evaluation;
  for (const { key, agent: opponent } of await remainingOpponents(run, generation)) {
    if (signal.aborted) return 'stopped';
    observer.onStage('evaluation', generation, `${games} games with ${key}`);
    const agent = networkAgent(paths.checkpoint(generation), simulations, playOptionsOf(config.evaluation));
    const match = { game: config.game, agent, opponent, games, seed: config.seed, openingPlies };
    const result = await playMatchOfRun({ pool, observer }, match);
    const record: EvaluationRecord = { generation, key, games, ...result, time: now() / 1000 };
    await writeRecord(paths, 'evaluations', record);
    await writeRunEvents(paths);
    observer.onEvaluation(record);
  }
  return 'done';
}
