import type { NamedJob } from './worker-jobs.js';

/** Describes the work on a job for a message: `played games 0 to 3 for …`. */
export function describeJob(named: NamedJob): string {
  switch (named.method) {
    case 'judgeOpenings':
      return `judged ${named.job.openings.length} openings`;
    case 'playMatch':
      return `played ${named.job.plans.length} games of ${named.job.agent} against ${named.job.opponent}`;
    case 'judgeShard':
      return `judged ${named.job.file}`;
    case 'fingerprint':
      return `took the fingerprint of ${named.job.modelPath ?? 'its mathematical functions'}`;
    case 'playShard': {
      const { firstGame, games, path } = named.job;
      return `played games ${firstGame} to ${firstGame + games - 1} for ${path}`;
    }
  }
}
