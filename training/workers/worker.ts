// What a process of `WorkerPool` runs. It ends when its parent does (workerpool watches the channel).
import workerpool from 'workerpool';
import { playMatchJob, type MatchJob } from '../matches/match-job.js';
import type { PlayedGames } from '../matches/match.js';
import type { ShardJob } from '../self-play/shard-job.js';
import { playShard, type ShardReport } from '../self-play/shard-play.js';
import { packFailure, type WorkerAnswer } from './worker-failure.js';

/** workerpool's own way loses the class of an error, and cannot be told from the end of the process. */
async function answer<Result>(work: () => Promise<Result>): Promise<WorkerAnswer<Result>> {
  try {
    return { result: await work() };
  } catch (error) {
    return { failure: packFailure(error) };
  }
}

function reportGames(finished: number): void {
  workerpool.workerEmit(finished);
}

// What cannot be sent has nobody to read it: the parent has ended, perhaps before this process was ready.
(process as NodeJS.EventEmitter).on('error', () => process.exit(1));

workerpool.worker({
  playShard: (job: ShardJob): Promise<WorkerAnswer<ShardReport>> => {
    let finished = 0;
    return answer(() =>
      playShard(job, () => {
        finished += 1;
        reportGames(finished);
      }),
    );
  },
  playMatch: (job: MatchJob): Promise<WorkerAnswer<PlayedGames>> =>
    answer(() => playMatchJob(job, reportGames)),
});
