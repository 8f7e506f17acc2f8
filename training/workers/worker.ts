// The main module of a process of `ProcessPool`.
import { serveRequests } from '../../env/processes/process-server.js';
import { loadGameModule } from '../games/game-module.js';
import { playMatchJob } from '../matches/match-job.js';
import { judgeOpenings } from '../openings/opening-job.js';
import { takeFingerprint } from '../self-play/fingerprint-job.js';
import type { ShardJob } from '../self-play/shard-job.js';
import { playShard, type ShardReport } from '../self-play/shard-play.js';
import type { JobNote, JobRequest, JobResult } from './worker-jobs.js';

// The parent decides when to stop: a signal to all processes of a service must not lose the games in progress.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);

function playCounted(job: ShardJob, note: (games: number) => void): Promise<ShardReport> {
  let finishedGames = 0;
  return playShard(job, () => {
    finishedGames += 1;
    note(finishedGames);
  });
}

serveRequests<JobRequest, JobResult, JobNote>(async (request, note) => {
  for (const path of request.gameModules) await loadGameModule(path);
  switch (request.method) {
    case 'playMatch':
      await playMatchJob(request.job, note);
      return null;
    case 'judgeOpenings':
      return judgeOpenings(request.job, note);
    case 'judgeShard': {
      // Loads apache-arrow, which other jobs may not need.
      const { judgeShard } = await import('../self-play/foreign-shard/foreign-shard.js');
      return judgeShard(request.job);
    }
    case 'fingerprint':
      return takeFingerprint(request.job);
    case 'playShard':
      return playCounted(request.job, note);
  }
});
