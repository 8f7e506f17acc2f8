import { expect, test } from 'vitest';
import type { GameOfMatch, MatchGame } from '../../../../training/matches/match-game.js';
import { type MatchJob, playMatchJob } from '../../../../training/matches/match-job.js';
import { planGames } from '../../../../training/matches/openings-of-match.js';
import { matchKind } from '../../../../training/workers/pool/coordinator/job-kinds.js';
import type { SentOutcome } from '../../../../training/workers/pool/coordinator/job-batch.js';
import { WorkerBook } from '../../../../training/workers/pool/coordinator/worker-book.js';
import { createGame } from '../../../../env/games.js';
import { CONNECT_FOUR_MATCH } from '../../matches/match-fixtures.js';

/** A job of four games. */
function fourGames(): MatchJob {
  const { game: identity, agent, opponent, seed, timeMarginMs } = CONNECT_FOUR_MATCH;
  const game = createGame(identity.id, identity.rules);
  const plans = planGames(game, { plies: 3 }, { pairs: 2, seed });
  return { game: identity, agent, opponent, seed, timeMarginMs, plans };
}

/** The result of an honest worker. */
async function resultOf(worker: string, job: MatchJob): Promise<SentOutcome> {
  const games: MatchGame[] = [];
  await playMatchJob(job, (game) => games.push(game));
  const content = Buffer.from(JSON.stringify(games));
  return { worker, content, foreign: null, outcome: { kind: 'match' } as SentOutcome['outcome'] };
}

/** The kind of the jobs of a match, and what it does. */
async function observedKind(): Promise<{
  readonly kind: ReturnType<typeof matchKind>;
  /** Number of games of each job that was replayed. */
  readonly replayed: number[];
  readonly ended: MatchGame[];
  readonly removed: GameOfMatch[];
}> {
  const [replayed, ended, removed]: [number[], MatchGame[], GameOfMatch[]] = [[], [], []];
  const local = {
    run: (_method: string, job: MatchJob, options: { readonly onNote: (game: MatchGame) => void }) => {
      replayed.push(job.plans.length);
      return playMatchJob(job, options.onNote);
    },
  };
  const services = { local, files: null, book: await WorkerBook.open(null), replayShare: 0.25 } as never;
  const kind = matchKind(services, {
    onGame: (game) => ended.push(game),
    onRemoved: (games) => removed.push(...games),
  });
  return { kind, replayed, ended, removed };
}

test('a worker whose first match job was replayed is proven: only a share of the next one is', async () => {
  const { kind, replayed, ended } = await observedKind();
  const job = fourGames();
  for (const worker of ['one', 'one', 'two']) await (await kind.judge(job, await resultOf(worker, job)))();
  expect(replayed).toEqual([4, 1, 4]);
  expect(ended).toHaveLength(12);
});

test('a job that is played again removes its games from the match', async () => {
  const { kind, removed } = await observedKind();
  const job = fourGames();
  await kind.remove(job);
  expect(removed).toEqual(job.plans);
});
