// The main module of a process of `WorkerPool`.
import { serveRequests } from '../../env/processes/process-server.js';
import { loadGameModule } from '../games/game-module.js';
import { playMatchJob } from '../matches/match-job.js';
import { judgeOpenings } from '../openings/opening-job.js';
import { playShard } from '../self-play/shard-play.js';
import type { JobNote, JobRequest, JobResult } from './worker-jobs.js';

// The parent decides when to stop: a signal to all processes of a service must not lose the games in progress.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);

serveRequests<JobRequest, JobResult, JobNote>(async (request, note) => {
  for (const path of request.gameModules) await loadGameModule(path);
  if (request.method === 'playMatch') {
    await playMatchJob(request.job, note);
    return null;
  }
  if (request.method === 'judgeOpenings') return judgeOpenings(request.job, note);
  let finishedGames = 0;
  return playShard(request.job, () => {
    finishedGames += 1;
    note(finishedGames);
  });
});
