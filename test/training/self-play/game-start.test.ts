import { copyFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readShard, shardManifestPath } from '../../../data/shards/shard.js';
import { createGame } from '../../../env/games.js';
import type { Game } from '../../../env/game.js';
import { createRng } from '../../../env/random.js';
import { RunConfig } from '../../../training/config/run-config.js';
import { archiveGenerations, archiveRows, listArchive } from '../../../training/self-play/archive.js';
import { type GameStart, prepareStarts, type StartPlan } from '../../../training/self-play/game-start.js';
import { digestOfSource } from '../../../training/self-play/shard-job.js';
import { StartsConfig } from '../../../training/config/starts-config.js';
import { temporaryFolder } from '../../data/temporary-folder.js';
import { writeCarefulShard } from '../network/network-fixtures.js';

const SEED = 11;
const GAMES = 120;
const ALL_KINDS = StartsConfig.parse({
  carefulShare: 0.25,
  carefulPlies: 9,
  archiveShare: 0.25,
  forkShare: 0.2,
  reducedShare: 0.2,
  reducedStones: 0.4,
  reducedDecay: 0.5,
});

/** The rows of the fixture, in the order of the archive. */
interface Rows {
  readonly positions: readonly string[];
  readonly played: readonly number[];
}

async function archiveOf(game: Game<unknown>): Promise<{ plan: StartPlan; rows: Rows; folders: string[] }> {
  const folders = [temporaryFolder(), temporaryFolder()];
  const rows = { positions: [] as string[], played: [] as number[] };
  for (const [index, folder] of folders.entries()) {
    const path = await writeCarefulShard(game, folder, 2 + index);
    const { columns } = await readShard(path, game);
    for (let row = 0; row < columns.rows; row++) {
      const size = game.packedSize;
      rows.positions.push(columns.positions.subarray(row * size, (row + 1) * size).join());
      rows.played.push(columns.played[row]!);
    }
  }
  const archive = await listArchive(folders);
  expect(archiveRows(archive)).toBe(rows.positions.length);
  return { plan: { config: ALL_KINDS, archive, seed: SEED, generation: 1 }, rows, folders };
}

function packed<State>(game: Game<State>, state: State): string {
  const bytes = new Uint8Array(game.packedSize);
  game.pack(state, bytes, 0);
  return bytes.join();
}

/** Each game's start as text: its kind, its position and the moves that it knows. */
function texts<State>(game: Game<State>, starts: ReadonlyMap<number, GameStart<State>>): string[] {
  return [...starts]
    .sort(([a], [b]) => a - b)
    .map(([gameId, { kind, state }]) => {
      const moves = Array.from({ length: game.historyLength(state) }, (_, i) => game.historyAction(state, i));
      return `${gameId} ${kind} ${packed(game, state)} ${moves.join()}`;
    });
}

/** The kind that the game's own stream gives, counted apart from the code that is tested. */
function drawnKind(gameId: number, config: StartsConfig): string {
  const place = createRng(SEED, 'starts', gameId).float();
  const ends = [config.carefulShare, config.archiveShare, config.forkShare, config.reducedShare].map(
    (_, index, all) => all.slice(0, index + 1).reduce((sum, share) => sum + share),
  );
  const index = ends.findIndex((end) => place < end);
  return ['careful', 'archive', 'fork', 'reduced'][index] ?? 'initial';
}

const KEEPS_RINGS: Readonly<Record<string, (game: Game<unknown>, state: unknown) => boolean>> = {
  gess: (game, state) => {
    const { rings } = game.describe!(state) as { rings: { black: string[]; white: string[] } };
    return rings.black.length > 0 && rings.white.length > 0;
  },
  'connect-four': () => true,
};

describe.each([
  ['gess', ALL_KINDS],
  ['connect-four', { ...ALL_KINDS, reducedShare: 0 }],
] as const)('starts of %s', (id, config) => {
  const game = createGame(id);

  test('are legal and of the sampled kinds', { timeout: 30_000 }, async () => {
    const { plan, rows } = await archiveOf(game);
    const starts = await prepareStarts(game, { ...plan, config }, { firstGame: 50, games: GAMES });
    expect(starts.size).toBe(GAMES);
    const kinds = new Set<string>();
    const initial = packed(game, game.initialState());
    for (const [gameId, { kind, state }] of starts) {
      kinds.add(kind);
      // A fork where every other move ends the game stays where it is.
      const drawn = drawnKind(gameId, config);
      expect(kind === drawn || (drawn === 'fork' && kind === 'archive')).toBe(true);
      expect(game.outcome(state)).toBeNull();
      expect(game.countLegalActions(state)).toBeGreaterThan(0);
      expect(KEEPS_RINGS[id]!(game, state)).toBe(true);
      const position = packed(game, state);
      const ply = game.ply(state);
      expect(position === initial).toBe(
        kind === 'initial' || (kind === 'archive' && ply === 0 && rows.positions.includes(initial)),
      );
      if (kind === 'careful') {
        expect(game.historyLength(state)).toBe(ply);
        expect(ply).toBeGreaterThanOrEqual(1);
        expect(ply).toBeLessThanOrEqual(9);
      }
      if (kind === 'reduced') expect(ply).toBe(0);
      if (kind === 'archive') expect(rows.positions).toContain(position);
      if (kind === 'fork') {
        expect(game.historyLength(state)).toBe(1);
        const other = game.historyAction(state, 0);
        game.undo(state);
        const before = packed(game, state);
        expect(game.isLegal(state, other)).toBe(true);
        const same = rows.positions.flatMap((text, row) => (text === before ? [rows.played[row]!] : []));
        expect(same.some((played) => played !== other)).toBe(true);
      }
    }
    const expected = ['initial', 'careful', 'archive', 'fork', ...(id === 'gess' ? ['reduced'] : [])];
    expect([...kinds].sort()).toEqual(expected.sort());
  });

  test('depend on the plan and the number of the game alone', async () => {
    const { plan } = await archiveOf(game);
    const shared = { ...plan, config };
    const all = texts(game, await prepareStarts(game, shared, { firstGame: 0, games: 40 }));
    const parts = [
      ...texts(game, await prepareStarts(game, shared, { firstGame: 0, games: 13 })),
      ...texts(game, await prepareStarts(game, shared, { firstGame: 13, games: 27 })),
    ];
    expect(parts).toEqual(all);
    const other = texts(
      game,
      await prepareStarts(game, { ...shared, seed: 12 }, { firstGame: 0, games: 40 }),
    );
    expect(other).not.toEqual(all);
  });
});

test('a fork plays the other move with the highest policy', async () => {
  const game = createGame('connect-four');
  const { plan } = await archiveOf(game);
  const config = StartsConfig.parse({ forkShare: 1 });
  // The policy of the fixture prefers the first legal move to all others, which are equal.
  const starts = await prepareStarts(game, { ...plan, config }, { firstGame: 0, games: 200 });
  const others = new Set<number>();
  let first = 0;
  for (const { kind, state } of starts.values()) {
    if (kind !== 'fork') continue;
    const other = game.historyAction(state, 0);
    game.undo(state);
    const legal = new Int32Array(game.maxLegalActions);
    const [best] = legal.subarray(0, game.legalActions(state, legal));
    if (other === best) first += 1;
    else others.add(other);
  }
  // In six games of seven another one was played.
  expect(first).toBeGreaterThan(120);
  expect(others.size).toBeGreaterThan(3);
});

test('without an archive, its games begin at the initial position', async () => {
  const game = createGame('connect-four');
  const config = StartsConfig.parse({ archiveShare: 0.5, forkShare: 0.5 });
  const plan = { config, archive: [], seed: 1, generation: 0 };
  const starts = await prepareStarts(game, plan, { firstGame: 0, games: 5 });
  expect([...starts.values()].map(({ kind }) => kind)).toEqual(new Array(5).fill('initial'));
});

test('armies grow with the generations until they are complete', async () => {
  const game = createGame('gess');
  const config = StartsConfig.parse({ reducedShare: 1, reducedStones: 0.4, reducedDecay: 0.5 });
  const missing: number[] = [];
  for (let generation = 0; generation < 7; generation++) {
    const plan = { config, archive: [], seed: 1, generation };
    const { state, kind } = (await prepareStarts(game, plan, { firstGame: 3, games: 1 })).get(3)!;
    missing.push(43 - game.formatPosition(state).split(' ')[0]!.match(/b/g)!.length);
    expect(kind).toBe(missing.at(-1) === 0 ? 'initial' : 'reduced');
  }
  expect(missing).toEqual([17, 9, 4, 2, 1, 1, 0]);
});

test('the content of an archive identifies it, not its path; a changed one is refused', async () => {
  const game = createGame('connect-four');
  const { plan, folders } = await archiveOf(game);
  const modelPath = join(folders[0]!, 'model.onnx');
  await writeFile(modelPath, 'network');
  const source = { kind: 'network', modelPath, config: RunConfig.parse({}).selfPlay } as const;
  const digest = await digestOfSource({ ...source, archive: plan.archive });
  const moved = join(temporaryFolder(), 'moved');
  await rename(folders[1]!, moved);
  const archive = await listArchive([folders[0]!, moved]);
  expect(await digestOfSource({ ...source, archive })).toBe(digest);
  expect(await digestOfSource({ ...source, archive: archive.slice(1) })).not.toBe(digest);
  expect(await digestOfSource(source)).not.toBe(digest);
  const wholly = StartsConfig.parse({ archiveShare: 1 });
  const altered = archive.map((shard) => ({ ...shard, sha256: 'ab'.repeat(32) }));
  await expect(
    prepareStarts(game, { ...plan, archive: altered, config: wholly }, { firstGame: 0, games: 1 }),
  ).rejects.toMatchObject({ code: 'archive-changed' });
  // A sound shard, but not the one that was planned with.
  const [first, second] = archive.map(({ path }) => path) as [string, string];
  await copyFile(second, first);
  await copyFile(shardManifestPath(second), shardManifestPath(first));
  await expect(
    prepareStarts(game, { ...plan, archive, config: wholly }, { firstGame: 0, games: 40 }),
  ).rejects.toMatchObject({ code: 'archive-changed', message: expect.stringContaining(first) as string });
});

test('the archive of a generation consists of the newest generations before it', () => {
  const config = StartsConfig.parse({ forkShare: 0.1, archiveGenerations: 3 });
  expect(archiveGenerations(config, 1)).toEqual([]);
  expect(archiveGenerations(config, 3)).toEqual([1, 2]);
  expect(archiveGenerations(config, 9)).toEqual([6, 7, 8]);
  expect(archiveGenerations({ ...config, forkShare: 0 }, 9)).toEqual([]);
});

test('shares above 1, and reduced armies of other games, are configuration errors', async () => {
  const starts = { carefulShare: 0.7, archiveShare: 0.2, forkShare: 0.1 };
  expect(RunConfig.safeParse({ selfPlay: { starts } }).success).toBe(true);
  const tooMany = { selfPlay: { starts: { ...starts, reducedShare: 0.1 } } };
  expect(RunConfig.safeParse(tooMany).error?.issues).toMatchObject([{ path: ['selfPlay', 'starts'] }]);
  const quess = { game: { id: 'quess' }, selfPlay: { starts: { reducedShare: 0.1 } } };
  expect(RunConfig.safeParse(quess).error?.issues).toMatchObject([
    { path: ['selfPlay', 'starts', 'reducedShare'] },
  ]);
  const config = StartsConfig.parse({ reducedShare: 1 });
  await expect(
    prepareStarts(
      createGame('quess'),
      { config, archive: [], seed: 1, generation: 0 },
      { firstGame: 0, games: 1 },
    ),
  ).rejects.toMatchObject({ code: 'config-invalid' });
});
