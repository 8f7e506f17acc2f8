import { removeShard } from '../../../../data/shards/shard.js';
import type { MatchGame, MatchListener } from '../../../matches/match-game.js';
import type { ShardReport } from '../../../self-play/shard-play.js';
import type { ShardJob } from '../../../self-play/shard-job.js';
import type { ProcessPool } from '../../process-pool.js';
import type { JobKind, SentOutcome } from './job-batch.js';
import { judgeGames, MAX_GAMES_BYTES } from './intake/match-intake.js';
import { idOfMatch, idOfShard, type OfferedFiles, outgoingMatch, outgoingShard } from './outgoing-job.js';
import { Lie } from './intake/lie.js';
import { judgeSentShard, keepShard, maxShardBytes } from './intake/shard-intake.js';
import { modelOfAgent } from '../../../../agents/agent-spec.js';
import type { WorkerBook } from './worker-book.js';

/** The parts that the kinds of jobs need. */
export interface KindServices {
  readonly local: ProcessPool;
  readonly files: OfferedFiles;
  readonly book: WorkerBook;
  /** Share of a proven worker's games that are replayed, in [0, 1]. */
  readonly replayShare: number;
}

/** Whether games are played by an agent with a network. */
function usesAgentModel({ source }: ShardJob): boolean {
  return source.kind === 'agent' && modelOfAgent(source.config.agent) !== null;
}

/** Share of a worker's games that are replayed; all of a new worker's, unless `replayShare` is 0. */
function shareOf(worker: string, { book, replayShare }: KindServices): number {
  return book.isProven(worker) || replayShare === 0 ? replayShare : 1;
}

/** Jobs whose results are shards. */
export function shardKind(services: KindServices): JobKind<'playShard', ShardReport> {
  const { local, files, book } = services;
  return {
    method: 'playShard',
    outcome: 'shard',
    idOf: idOfShard,
    outgoing: (job) => outgoingShard(job, files),
    maxContentBytes: maxShardBytes,
    play: (job, options) => local.run('playShard', job, options),
    judge: async (job, { worker, outcome, content, foreign }: SentOutcome) => {
      if (outcome.kind !== 'shard') throw new Lie('games in place of a shard');
      // Games of other agents have no search values to compare with a tolerance, and their moves may differ.
      const share = foreign !== null && usesAgentModel(job) ? 0 : shareOf(worker, services);
      const sent = { job, content, outcome, share, foreign };
      const replayed = await judgeSentShard(local, sent);
      return async () => {
        const report = await keepShard(sent);
        await book.add({
          kind: 'accepted',
          worker,
          job: idOfShard(job),
          shardSha256: outcome.content.sha256,
          replayed,
          games: job.games,
          generation: job.generation,
          ...(foreign !== null && { fingerprint: foreign.fingerprint }),
        });
        return report;
      };
    },
    workOf: ({ statistics, effort }) => ({
      games: statistics.games,
      evaluations: effort?.networkEvaluations ?? 0,
    }),
    remove: ({ path }) => removeShard(path),
  };
}

/** Jobs whose results are games of a match. */
export function matchKind(
  services: KindServices,
  { onGame, onRemoved }: MatchListener,
): JobKind<'playMatch', readonly MatchGame[]> {
  const { local, files, book } = services;
  return {
    method: 'playMatch',
    outcome: 'match',
    idOf: idOfMatch,
    outgoing: (job) => outgoingMatch(job, files),
    maxContentBytes: () => MAX_GAMES_BYTES,
    play: async (job, options) => {
      const games: MatchGame[] = [];
      await local.run('playMatch', job, {
        ...options,
        onNote: (game) => {
          games.push(game);
          onGame(game);
        },
      });
      return games;
    },
    judge: async (job, { worker, content, foreign }: SentOutcome) => {
      const share = foreign !== null ? 0 : shareOf(worker, services);
      const games = await judgeGames(local, { job, content, share });
      return async () => {
        for (const game of games) onGame(game);
        if (share === 1 && !book.isProven(worker)) await book.add({ kind: 'proven', worker });
        return games;
      };
    },
    // Games of a match do not record the number of network evaluations.
    workOf: (games) => ({ games: games.length, evaluations: 0 }),
    remove: ({ plans }) => {
      onRemoved(plans);
      return Promise.resolve();
    },
  };
}
