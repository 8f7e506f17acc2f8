import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Ladder, LADDER_VERSION, type LadderPlayer } from '../../../training/matches/ladder/ladder-file.js';
import { LadderFolder } from '../../../training/matches/ladder/ladder-folder.js';
import { missingPairs, pairsOf, withMatch } from '../../../training/matches/ladder/ladder-pairs.js';
import { runLadder } from '../../../training/matches/ladder/ladder-run.js';
import { completePairs, type MatchResult, summarizeMatch } from '../../../training/matches/match-result.js';
import { temporaryFolder } from '../../data/temporary-folder.js';
import { playHere } from './match-fixtures.js';

function fixed(agent: string): LadderPlayer {
  return { name: agent, agent, series: null, generation: null, modelSha256: null };
}

function checkpoint(generation: number, series = 'mine'): LadderPlayer {
  return {
    ...fixed(`mcts:model=${series}-${generation}.onnx`),
    name: `${series}/${generation}`,
    series,
    generation,
  };
}

function ladderOf(players: readonly LadderPlayer[], changes: Partial<Ladder> = {}): Ladder {
  return {
    ladderVersion: LADDER_VERSION,
    game: { id: 'connect-four', rules: 'standard' },
    ...{ seed: 1, openings: { plies: 3 }, timeMarginMs: 500, format: 'gauntlet', neighbours: 1, games: 4 },
    anchor: players[0]!.name,
    ...{ players, matches: [] },
    ...changes,
  };
}

/** The pairs by the names of their players. */
function named(ladder: Ladder, pairs = pairsOf(ladder)): readonly string[] {
  return pairs.map(({ first, second }) => `${ladder.players[first]!.name} ${ladder.players[second]!.name}`);
}

/** A match in which the first player gets this many of the two points of each pair. */
function resultOf(points: 0 | 1 | 2): MatchResult {
  const game = (agentPlayer: 0 | 1): Parameters<typeof completePairs>[0][number] => ({
    ...{ pair: 0, agentPlayer, opening: [], moves: [], end: 'rules' },
    points: points === 2 || (points === 1 && agentPlayer === 0) ? 1 : 0,
  });
  return summarizeMatch(completePairs([game(0), game(1)]));
}

const PLAYERS = [
  fixed('random'),
  fixed('careful'),
  checkpoint(4),
  checkpoint(2),
  checkpoint(6),
  checkpoint(2, 'b'),
];

test('in a gauntlet, checkpoints play fixed agents and earlier checkpoints of their run', () => {
  const ladder = ladderOf(PLAYERS);
  expect(named(ladder)).toEqual([
    'careful random',
    ...['mine/2 random', 'mine/2 careful', 'b/2 random', 'b/2 careful'],
    ...['mine/4 random', 'mine/4 careful', 'mine/4 mine/2'],
    ...['mine/6 random', 'mine/6 careful', 'mine/6 mine/4'],
  ]);
  expect(named(ladderOf(PLAYERS, { format: 'round-robin' }))).toHaveLength((6 * 5) / 2);
});

test('a saturated agent is dropped for later checkpoints of the same run only', () => {
  const place = (name: string): number => PLAYERS.findIndex((player) => player.name === name);
  const match = { first: place('mine/2'), second: place('random'), games: 40, result: resultOf(2) };
  const ladder = withMatch(ladderOf(PLAYERS, { games: 40 }), match);
  const missing = named(ladder, missingPairs(ladder));
  expect(missing).toHaveLength(11 - 3);
  for (const pair of ['mine/2 random', 'mine/4 random', 'mine/6 random']) expect(missing).not.toContain(pair);
  expect(missing).toContain('b/2 random');
  // In a round-robin all players play each other.
  const all = { ...ladder, format: 'round-robin' } as const;
  expect(missingPairs(all)).toHaveLength(14);
  // The played match needs more games.
  expect(named(ladder, missingPairs({ ...ladder, games: 60 }))).toContain('mine/2 random');
});

/** Plays the ladder of a folder until `games` more games have ended. */
async function play(folder: LadderFolder, ladder: Ladder, games = Infinity): Promise<boolean> {
  const stop = new AbortController();
  let ended = 0;
  const { finished } = await runLadder(folder, ladder, {
    processes: 1,
    play: (jobs, listener, signal) =>
      playHere(
        jobs,
        {
          ...listener,
          onGame: (game) => {
            listener.onGame(game);
            if (++ended >= games) stop.abort();
          },
        },
        signal,
      ),
    onMatch: () => undefined,
    onGone: () => undefined,
    signal: stop.signal,
  });
  return finished;
}

const AGENTS = ['alphabeta:depth=1', 'random', 'alphabeta:depth=2'].map(fixed);

/** The matches of a ladder without their times. */
async function matchesOf(folder: LadderFolder): Promise<unknown> {
  const { matches } = await folder.read();
  return matches.map((match) => ({ ...match, result: { ...match.result, msPerMove: null } }));
}

test('a stopped ladder resumes to the same matches, and a new player adds only its own', async () => {
  const [whole, parts] = [new LadderFolder(temporaryFolder()), new LadderFolder(temporaryFolder())];
  const ladder = ladderOf(AGENTS);
  for (const folder of [whole, parts]) await folder.write(ladder);
  expect(await play(whole, ladder)).toBe(true);
  for (const games of [3, 4]) expect(await play(parts, await parts.read(), games)).toBe(false);
  expect((await parts.read()).matches.length).toBeLessThan(3);
  expect(await play(parts, await parts.read())).toBe(true);
  expect(await matchesOf(parts)).toEqual(await matchesOf(whole));
  const before = (await whole.read()).matches;
  expect(await play(whole, { ...(await whole.read()), players: [...AGENTS, fixed('careful')] })).toBe(true);
  const { matches } = await whole.read();
  expect(matches).toHaveLength(6);
  expect(matches.slice(0, 3)).toEqual(before);
});

test('a longer ladder keeps its games', async () => {
  const folder = new LadderFolder(temporaryFolder());
  await folder.write(ladderOf(AGENTS.slice(0, 2)));
  await play(folder, await folder.read());
  const [before] = (await folder.read()).matches;
  await play(folder, { ...(await folder.read()), games: 6 });
  const [after] = (await folder.read()).matches;
  expect(before!.result.wins + before!.result.draws + before!.result.losses).toBe(4);
  expect(after!.games).toBe(6);
  expect(after!.result.wins).toBeGreaterThanOrEqual(before!.result.wins);
});

test('a player whose model is missing is skipped; a player whose model has changed stops the ladder', async () => {
  const root = temporaryFolder();
  const model = join(root, 'model.onnx');
  const player = { ...fixed(`policy:model=${model}`), modelSha256: 'f'.repeat(64) };
  const ladder = ladderOf([...AGENTS.slice(0, 1), player]);
  const folder = new LadderFolder(join(root));
  const gone: string[] = [];
  const services = {
    ...{ processes: 1, play: playHere, onMatch: () => undefined },
    onGone: ({ name }: LadderPlayer) => void gone.push(name),
  };
  expect(await runLadder(folder, ladder, services)).toMatchObject({
    finished: true,
    ladder: { matches: [] },
  });
  expect(gone).toEqual([player.name]);
  await writeFile(model, 'another one');
  await expect(runLadder(folder, ladder, services)).rejects.toMatchObject({ code: 'ladder-changed' });
});

test('a forged or damaged ladder is refused', async () => {
  const ladder = ladderOf(AGENTS);
  const result = resultOf(1);
  const forged: readonly Partial<Ladder>[] = [
    { anchor: 'nobody' },
    { players: [...AGENTS, AGENTS[0]!] },
    { matches: [{ first: 0, second: 3, games: 2, result }] },
    { matches: [{ first: 0, second: 1, games: 4, result }] },
    { matches: [{ first: 0, second: 1, games: 2, result: { ...result, wins: 2 } }] },
    { matches: [{ first: 0, second: 1, games: 2, result: { ...result, pentanomial: [0, 0, 0, 0, 0] } }] },
    { matches: [0, 1].map((first) => ({ first, second: 1 - first, games: 2, result })) },
    { matches: [{ first: 1, second: 1, games: 2, result }] },
    { games: 3 },
  ];
  const sound = { ...ladder, matches: [{ first: 0, second: 1, games: 2, result }] };
  expect(Ladder.safeParse(sound).success).toBe(true);
  for (const changes of forged) expect(Ladder.safeParse({ ...ladder, ...changes }).success).toBe(false);
  const root = temporaryFolder();
  await expect(new LadderFolder(root).read()).rejects.toMatchObject({ code: 'ladder-missing' });
  await writeFile(join(root, 'ladder.json'), JSON.stringify(ladder));
  await expect(new LadderFolder(root).read()).rejects.toMatchObject({ code: 'ladder-damaged' });
  await writeFile(join(root, 'ladder.json'), JSON.stringify({ ...ladder, ladderVersion: 2 }));
  await expect(new LadderFolder(root).read()).rejects.toThrow('ladderVersion 2');
});
