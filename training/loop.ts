import { removeObsolete } from './run/retention.js';
import type { Run } from './run/run-folder.js';
import { beginRun, isLearnt } from './stages/beginning-stage.js';
import { passGate } from './stages/gate-stage.js';
import { playGeneration, replayLostGames } from './stages/games-stage.js';
import { learnGeneration } from './stages/learning-stage.js';
import type { LoopServices, StageEnd } from './stages/loop-services.js';
import { playMatches } from './stages/matches-stage.js';

export type { LoopObserver, LoopServices, Stage, StageEnd } from './stages/loop-services.js';
export type { EvaluationRecord, GateRecord, LearntShard, MetricsRecord } from './run/run-records.js';

/** Plays the games of a generation and learns from them, unless the generation has been learnt already. */
async function makeGeneration(run: Run, generation: number, services: LoopServices): Promise<StageEnd> {
  if (await isLearnt(run, generation)) return 'done';
  const games = await playGeneration(run, generation, services);
  if (games.end === 'stopped') return 'stopped';
  return learnGeneration(run, { generation, played: games.played }, services);
}

/**
 * Trains a run to its last generation. Generation 0 is the untrained network, or the checkpoint that the run starts
 * from. Each later generation learns from games played by the previous one or, with a gate, by the newest one that
 * passed it; generation 1 may learn from the games of a warm start instead. Some generations play evaluation matches.
 *
 * Each stage first looks for its own result and does only what is missing. So a run that was killed at any point
 * resumes to the same bytes of shards and checkpoints.
 *
 * @returns `stopped` if the signal came before the run was finished.
 * @throws TrainingError, DataError, AgentError as the stages do.
 */
export async function train(run: Run, services: LoopServices): Promise<StageEnd> {
  await beginRun(run, services.tf);
  if ((await replayLostGames(run, services)) === 'stopped') return 'stopped';
  if ((await playMatches(run, 0, services)) === 'stopped') return 'stopped';
  for (let generation = 1; generation <= run.config.generations; generation++) {
    if ((await makeGeneration(run, generation, services)) === 'stopped') return 'stopped';
    if ((await passGate(run, generation, services)) === 'stopped') return 'stopped';
    if ((await playMatches(run, generation, services)) === 'stopped') return 'stopped';
    await removeObsolete(run, generation);
  }
  return 'done';
}
