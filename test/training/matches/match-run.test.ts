import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readJsonRecord } from '../../../data/records/record-json.js';
import { openSealed, sealJson } from '../../../data/files/sealed-json.js';
import { MatchFolder } from '../../../training/matches/match-folder.js';
import {
  type GameOfMatch,
  keyOfGame,
  type MatchGame,
  type MatchListener,
} from '../../../training/matches/match-game.js';
import { divideGames, playMatchJob } from '../../../training/matches/match-job.js';
import { runMatch } from '../../../training/matches/match-run.js';
import type { MatchSettings } from '../../../training/matches/match-settings.js';
import { planGames } from '../../../training/matches/openings-of-match.js';
import { createGame } from '../../../env/games.js';
import { nameOutcome, replayMoves } from '../../../env/replay/replay.js';
import { temporaryFolder } from '../../data/temporary-folder.js';
import { CONNECT_FOUR_MATCH, playHere, playInTurns, withoutTimes } from './match-fixtures.js';

/** Plays the match of a folder until `games` more games have ended. */
async function playSome(folder: string, settings: MatchSettings, games: number): Promise<boolean> {
  const match = await MatchFolder.open(folder, settings);
  const killed = new AbortController();
  let ended = 0;
  const { finished } = await runMatch(settings, {
    processes: 2,
    play: playInTurns,
    finished: await match.finishedGames(),
    keep: (game) => {
      if (++ended >= games) killed.abort();
      return match.add(game);
    },
    signal: killed.signal,
  });
  return finished;
}

test('a match that was stopped three times has the games and the result of an uninterrupted one', async () => {
  const whole = temporaryFolder();
  const parts = temporaryFolder();
  expect(await playSome(whole, CONNECT_FOUR_MATCH, 100)).toBe(true);
  for (const games of [1, 3, 2]) expect(await playSome(parts, CONNECT_FOUR_MATCH, games)).toBe(false);
  expect(await readdir(join(parts, 'games'))).toHaveLength(6);
  expect(await playSome(parts, CONNECT_FOUR_MATCH, 100)).toBe(true);
  const [one, other] = await Promise.all(
    [whole, parts].map(async (folder) =>
      (await MatchFolder.open(folder, CONNECT_FOUR_MATCH)).finishedGames(),
    ),
  );
  expect(withoutTimes(one!)).toEqual(withoutTimes(other!));
});

/** A listener that makes draws without moves of all games. */
function forging(listener: MatchListener): MatchListener {
  return {
    ...listener,
    onGame: (game) => {
      listener.onGame({ ...game, moves: [], points: 1 });
    },
  };
}

test('games of a machine that lied do not count until they are played again, not even on the disk', async () => {
  const match = await MatchFolder.open(temporaryFolder(), CONNECT_FOUR_MATCH);
  const services = {
    processes: 1,
    keep: (game: MatchGame) => match.add(game),
    remove: (game: GameOfMatch) => match.remove(game),
  };
  let forged: GameOfMatch | undefined;
  const stopped = await runMatch(CONNECT_FOUR_MATCH, {
    ...services,
    play: async ([first, ...others], listener, signal) => {
      const [plan, ...plans] = first!.plans;
      forged = plan!;
      await playHere([{ ...first!, plans: [plan!] }], forging(listener), signal);
      listener.onRemoved([plan!]);
      await playHere([{ ...first!, plans }, ...others], listener, signal);
    },
  });
  expect(stopped.finished).toBe(false);
  const finished = await match.finishedGames();
  expect(finished).toHaveLength(CONNECT_FOUR_MATCH.games - 1);
  expect(finished.some((game) => keyOfGame(game) === keyOfGame(forged!))).toBe(false);
  expect((await runMatch(CONNECT_FOUR_MATCH, { ...services, finished, play: playHere })).finished).toBe(true);
  expect(await match.finishedGames()).toHaveLength(CONNECT_FOUR_MATCH.games);
});

test('a match goes on if games are removed after it has ended', async () => {
  let rounds = 0;
  const report = await runMatch(CONNECT_FOUR_MATCH, {
    processes: 1,
    play: async (jobs, listener, signal) => {
      rounds += 1;
      await playHere(jobs, listener, signal);
      expect(signal.aborted).toBe(true);
      if (rounds === 1) listener.onRemoved(jobs.flatMap(({ plans }) => plans.slice(1)));
      else expect(jobs.flatMap(({ plans }) => plans)).toHaveLength(CONNECT_FOUR_MATCH.games - 1);
    },
  });
  expect(rounds).toBe(2);
  expect(report).toMatchObject({ finished: true, games: CONNECT_FOUR_MATCH.games });
});

test('games of a repeated job replace the earlier ones', async () => {
  const kept: MatchGame[] = [];
  const report = await runMatch(CONNECT_FOUR_MATCH, {
    processes: 1,
    play: async (jobs, listener, signal) => {
      const [first] = jobs;
      const one = { ...first!, plans: first!.plans.slice(0, 1) };
      await playHere([one], forging(listener), signal);
      await playHere(jobs, listener, signal);
    },
    keep: (game) => {
      kept.push(game);
      return Promise.resolve();
    },
  });
  const honest = await runMatch(CONNECT_FOUR_MATCH, { processes: 1, play: playHere });
  expect({ ...report.result, msPerMove: null }).toEqual({ ...honest.result, msPerMove: null });
  expect(kept).toHaveLength(honest.games + 1);
});

test('the games are the same with any number of processes', async () => {
  const play = async (processes: number): Promise<readonly MatchGame[]> => {
    const games: MatchGame[] = [];
    const keep = (game: MatchGame): Promise<void> => {
      games.push(game);
      return Promise.resolve();
    };
    await runMatch(CONNECT_FOUR_MATCH, { processes, play: playHere, keep });
    return withoutTimes(games);
  };
  expect(await play(1)).toEqual(await play(3));
});

test('a longer match keeps the games of a shorter one; other settings are refused', async () => {
  const folder = temporaryFolder();
  await playSome(folder, CONNECT_FOUR_MATCH, 100);
  const longer = await MatchFolder.open(folder, { ...CONNECT_FOUR_MATCH, games: 12 });
  expect(await longer.finishedGames()).toHaveLength(10);
  await expect(MatchFolder.open(folder, { ...CONNECT_FOUR_MATCH, seed: 5 })).rejects.toMatchObject({
    code: 'match-changed',
  });
  await writeFile(join(folder, 'games', 'pair-000000-0.json'), '{}');
  await expect(longer.finishedGames()).rejects.toMatchObject({ code: 'match-damaged' });
});

test('games of a match with another seed, copied into the folder, are refused', async () => {
  const other = temporaryFolder();
  await playSome(other, { ...CONNECT_FOUR_MATCH, seed: 5 }, 100);
  const folder = temporaryFolder();
  await MatchFolder.open(folder, CONNECT_FOUR_MATCH);
  await cp(join(other, 'games'), join(folder, 'games'), { recursive: true });
  await expect(playSome(folder, CONNECT_FOUR_MATCH, 100)).rejects.toMatchObject({
    code: 'match-damaged',
    message: expect.stringContaining('another opening') as string,
  });
});

/** A game of a match, in the form of its file. */
interface GameFile {
  readonly properties: Record<string, readonly string[]>;
  readonly moves: readonly (string | { readonly move: string })[];
  readonly players?: readonly [string, string] | undefined;
}

const withProperty = (name: string, value: string) => (file: GameFile) => ({
  ...file,
  properties: { ...file.properties, [name]: [value] },
});

test.each<[string, (file: GameFile) => GameFile]>([
  [
    'an illegal move',
    (file) => ({ ...file, moves: [...file.moves.slice(0, 3), '3', '3', '3', '3', '3', '3', '3'] }),
  ],
  ['a move after the end', (file) => ({ ...file, moves: [...file.moves, '0'] })],
  ['fewer moves', (file) => ({ ...file, moves: file.moves.slice(0, -1) })],
  [
    'the points of the other agent',
    (file) => withProperty('POINTS', file.properties['POINTS']![0] === '1' ? '0' : '1')(file),
  ],
  [
    'a move of 136 years',
    (file) => ({
      ...file,
      moves: [...file.moves.slice(0, -1), { ...(file.moves.at(-1) as { move: string }), seconds: 2 ** 32 }],
    }),
  ],
  ['another end', withProperty('END', 'plies')],
  ['another pair', withProperty('PAIR', '1')],
  ['an opening longer than the game', withProperty('OPENING', '999')],
  ['another game', (file) => ({ ...file, game: 'quess' })],
  ['another agent', (file) => ({ ...file, players: ['greedy', file.players![1]] })],
  ['the agents exchanged', (file) => ({ ...file, players: [file.players![1], file.players![0]] })],
  ['no agents', (file) => ({ ...file, players: undefined })],
])('a game of a match with %s and a new checksum is refused', async (_, change) => {
  const folder = temporaryFolder();
  const match = await MatchFolder.open(folder, CONNECT_FOUR_MATCH);
  const plans = planGames(createGame('connect-four'), { plies: 3 }, { pairs: 1, seed: 4 }).slice(0, 1);
  const played: MatchGame[] = [];
  await playMatchJob({ ...CONNECT_FOUR_MATCH, plans }, (game) => played.push(game));
  await match.add(played[0]!);
  expect(await match.finishedGames()).toEqual(played);
  const path = join(folder, 'games', 'pair-000000-0.json');
  const { value } = openSealed(await readFile(path, 'utf8'), 'file');
  await writeFile(path, sealJson(change(value as GameFile), 'file'));
  await expect(match.finishedGames()).rejects.toMatchObject({
    code: 'match-damaged',
    message: expect.not.stringContaining('checksum') as string,
  });
});

test.each([{ games: 2 ** 50 }, { openings: { plies: 2 ** 50 } }, { timeMarginMs: 1e308 }])(
  'a match of %o with a new checksum is refused',
  async (change) => {
    const folder = temporaryFolder();
    await writeFile(join(folder, 'match.json'), sealJson({ ...CONNECT_FOUR_MATCH, ...change }, 'file'));
    await expect(MatchFolder.readSettings(folder)).rejects.toMatchObject({ code: 'match-damaged' });
  },
);

test('a record keeps everything of a game, times to the microsecond', async () => {
  const folder = temporaryFolder();
  const match = await MatchFolder.open(folder, CONNECT_FOUR_MATCH);
  const move = { action: 3, side: 0, ms: 12.345, value: -0.1234567890123 } as const;
  const late = { action: 4, side: 1, ms: 999 } as const;
  const game = {
    pair: 1,
    agentPlayer: 1,
    opening: [0],
    moves: [move, late],
    end: 'time',
    points: 1,
  } as const;
  await match.add(game);
  expect(await match.finishedGames()).toEqual([game]);
});

const CLOCKED = { id: 'quess', rules: 'standard,clock=1' };

test('moves of a match take time off the clocks, and its games are replayed to the same end', async () => {
  const settings: MatchSettings = {
    ...CONNECT_FOUR_MATCH,
    game: CLOCKED,
    agent: 'mcts:timeMs=300,simulations=1000000',
    opponent: 'random',
    games: 2,
  };
  const folder = temporaryFolder();
  expect(await playSome(folder, settings, 100)).toBe(true);
  const played = await (await MatchFolder.open(folder, settings)).finishedGames();
  expect(played.map(({ end, points }) => [end, points])).toEqual([
    ['time', 0],
    ['time', 0],
  ]);
  for (const name of await readdir(join(folder, 'games'))) {
    const record = readJsonRecord(await readFile(join(folder, 'games', name), 'utf8'));
    const game = createGame(CLOCKED.id, CLOCKED.rules);
    const moves = record.moves.map(({ move }) => move).join(' ');
    const seconds = record.moves.map((move) => move.seconds ?? 0);
    const { legal, position } = replayMoves(game, { moves, seconds });
    expect(legal).toBe(true);
    const state = game.parsePosition(position);
    game.spendTime!(state, Number(record.properties!['LATE']![0]));
    expect(`${nameOutcome(game, state)!}+T`).toBe(record.result);
  }
});

test('a game of 1.0.0 with more time than its clocks had is read', async () => {
  const settings = { ...CONNECT_FOUR_MATCH, game: CLOCKED, agent: 'greedy' };
  const folder = temporaryFolder();
  const match = await MatchFolder.open(folder, settings);
  const plans = planGames(createGame(CLOCKED.id, CLOCKED.rules), { plies: 3 }, { pairs: 1, seed: 4 });
  const played: MatchGame[] = [];
  await playMatchJob({ ...settings, plans: plans.slice(0, 1) }, (game) => played.push(game));
  const [game] = played;
  const slow = { ...game!, moves: game!.moves.map((move) => ({ ...move, ms: 900 })) };
  await match.add(slow);
  await expect(match.finishedGames()).rejects.toMatchObject({ code: 'match-damaged' });
  const path = join(folder, 'games', 'pair-000000-0.json');
  const file = openSealed(await readFile(path, 'utf8'), 'file').value as GameFile;
  const { CLOCKS, ...properties } = file.properties;
  expect(CLOCKS).toEqual(['1']);
  await writeFile(path, sealJson({ ...file, properties }, 'file'));
  expect(await match.finishedGames()).toEqual([slow]);
});

test('a sequential test ends at the same pair, whatever the order in which games end', async () => {
  const settings: MatchSettings = {
    ...CONNECT_FOUR_MATCH,
    games: 400,
    sprt: { elo0: 0, elo1: 200, alpha: 0.05, beta: 0.05, scale: 'elo' },
  };
  const forwards = await runMatch(settings, { processes: 1, play: playHere });
  const backwards = await runMatch({ ...settings, games: 60 }, { processes: 2, play: playInTurns });
  expect(forwards.sprt?.accepted).toBe('H1');
  expect(forwards.games).toBeLessThan(60);
  expect(backwards.games).toBe(forwards.games);
  expect({ ...backwards.result, msPerMove: null }).toEqual({ ...forwards.result, msPerMove: null });
});

test('if games depend on time, a job is one pair; games are divided evenly', () => {
  const game = createGame('connect-four');
  const plans = planGames(game, { plies: 2 }, { pairs: 50, seed: 1 });
  const sides = { ...CONNECT_FOUR_MATCH, timeMarginMs: 0 };
  const sizes = (agent: string, game = sides.game): number[] =>
    divideGames({ ...sides, agent, game }, plans, { processes: 2, isSequential: false }).map(
      (job) => job.plans.length,
    );
  expect(sizes('alphabeta:depth=1')).toEqual([50, 50]);
  // Other machines claim numbers of processes; there are never more jobs than pairs.
  const crowd = divideGames(sides, plans, { processes: 1e12, isSequential: false });
  expect(crowd.map((job) => job.plans.length)).toEqual(Array.from({ length: 50 }, () => 2));
  expect(new Set(sizes('alphabeta:timeMs=5'))).toEqual(new Set([2]));
  expect(new Set(sizes('random', CLOCKED))).toEqual(new Set([2]));
});
