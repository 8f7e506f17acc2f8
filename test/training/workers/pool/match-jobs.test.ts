import { expect, test } from 'vitest';
import type { GameOfMatch, MatchGame } from '../../../../training/matches/match-game.js';
import { type MatchJob, playMatchJob } from '../../../../training/matches/match-job.js';
import { planGames } from '../../../../training/matches/openings-of-match.js';
import { matchKind } from '../../../../training/workers/pool/coordinator/job-kinds.js';
import { Lie } from '../../../../training/workers/pool/coordinator/intake/lie.js';
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

/** Forgeries of an honest worker's games, and what the judge says about them. */
const FORGERIES: readonly (readonly [string, (games: MatchGame[]) => unknown])[] = [
  ['other games than planned', (games) => games.slice(1)],
  ['other games than planned', (games) => games.toSpliced(0, 1, games[1]!)],
  ['other games than planned', (games) => games.toSpliced(0, 1, { ...games[0]!, pair: 2 ** 52 })],
  ['other games than planned', (games) => games.toSpliced(0, 1, { ...games[0]!, opening: [0] })],
  ['games that cannot be read', (games) => [...games, games[0]!]],
  ['games that cannot be read', (games) => ({ games })],
  ['games that cannot be read', () => null],
  ['games that cannot be read', (games) => [{ ...games[0]!, end: 'time' }, ...games.slice(1)]],
  ['games that cannot be read', (games) => [{ ...games[0]!, points: -1 }, ...games.slice(1)]],
  [
    'points in place of',
    ([game, ...others]) => [{ ...game!, points: game!.points === 1 ? 0 : 1 }, ...others],
  ],
  ["the end 'plies' in place of 'rules'", ([game, ...others]) => [{ ...game!, end: 'plies' }, ...others]],
  ["in place of 'none'", ([game, ...others]) => [{ ...game!, moves: game!.moves.slice(0, -1) }, ...others]],
  [
    'moves after its end',
    ([game, ...others]) => [{ ...game!, moves: [...game!.moves, game!.moves[0]!] }, ...others],
  ],
  [
    'an action 9007199254740991 that is not legal',
    ([game, ...others]) => {
      const moves = game!.moves.with(0, { ...game!.moves[0]!, action: Number.MAX_SAFE_INTEGER });
      return [{ ...game!, moves }, ...others];
    },
  ],
  [
    'a move of the other agent',
    ([game, ...others]) => {
      const moves = game!.moves.map((move) => ({ ...move, side: 1 - move.side }));
      return [{ ...game!, moves }, ...others];
    },
  ],
  [
    'a game that differs when it is replayed',
    ([game, ...others]) => [
      { ...game!, moves: game!.moves.map((move) => ({ ...move, value: 1 })) },
      ...others,
    ],
  ],
];

test.each(FORGERIES)('forged games are a lie: %s', async (problem, forge) => {
  const { kind, ended } = await observedKind();
  const job = fourGames();
  const sent = await resultOf('one', job);
  const games = JSON.parse(Buffer.from(sent.content).toString()) as MatchGame[];
  const content = Buffer.from(JSON.stringify(forge(games)));
  const judging = kind.judge(job, { ...sent, content });
  await expect(judging).rejects.toBeInstanceOf(Lie);
  await expect(judging).rejects.toThrow(problem);
  expect(ended).toEqual([]);
});

test.each([
  ['half of the games', (content: Uint8Array) => content.subarray(0, content.length / 2)],
  ['bytes that are no text', () => Uint8Array.of(0xff, 0xfe)],
  ['arrays in arrays', () => Buffer.from('['.repeat(2 ** 20))],
  ['a line of its own', () => Buffer.from('[\nsuspended the worker x')],
])('%s are a lie, told on one line', async (_name, forge) => {
  const { kind } = await observedKind();
  const job = fourGames();
  const sent = await resultOf('one', job);
  const judging = kind.judge(job, { ...sent, content: forge(sent.content) });
  await expect(judging).rejects.toBeInstanceOf(Lie);
  await expect(judging).rejects.toThrow(/^games that cannot be read.{1,400}$/);
});

test('a job that is played again removes its games from the match', async () => {
  const { kind, removed } = await observedKind();
  const job = fourGames();
  await kind.remove(job);
  expect(removed).toEqual(job.plans);
});
