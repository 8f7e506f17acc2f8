import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { GessPosition } from '../../../env/gess/gess-position.js';
import { createGess } from '../../../env/gess/gess.js';
import type { Agent } from '../../../agents/agent.js';
import { FigureUse } from '../../../scripts/inspection/gess-study/figure-use.js';
import { type GameEnd, summarizeEnds } from '../../../scripts/inspection/gess-study/game-ends.js';
import type { GessStudy } from '../../../scripts/inspection/gess-study/gess-study.js';
import { PositionSample } from '../../../scripts/inspection/gess-study/position-sample.js';
import { ringThreats } from '../../../scripts/inspection/gess-study/ring-threats.js';
import { judgeRemovals, type RemovedStone } from '../../../scripts/inspection/gess-study/stone-removal.js';
import { StoneWorths } from '../../../scripts/inspection/gess-study/stone-worth.js';
import {
  placeStones,
  STONE_ZONES,
  stonesByZone,
} from '../../../scripts/inspection/gess-study/stone-zones.js';
import { temporaryFolder } from '../../data/temporary-folder.js';
import { runGess, runGessJson } from '../captured-output.js';

const gess = createGess();

describe('stones by zone', () => {
  test('are the same for both players at the start, and all counted', () => {
    const state = gess.initialState();
    const black = stonesByZone(state, 0);
    expect(black.reduce((sum, count) => sum + count)).toBe(43);
    expect(black[0]).toBe(8);
    expect(stonesByZone(state, 1)).toEqual(black);
  });

  test('depend on the rings: a stone far from any ring is at home or abroad', () => {
    // Black's ring at c3, White's at s18, a black stone at k5 and one at k16, far from both, and one at p15, near
    // White's.
    const rows = Array.from({ length: 18 }, () => '18');
    rows[19 - 19] = '15www';
    rows[19 - 18] = '15w1w';
    rows[19 - 17] = '15www';
    rows[19 - 16] = '9b8';
    rows[19 - 15] = '14b3';
    rows[19 - 5] = '9b8';
    rows[19 - 4] = 'bbb15';
    rows[19 - 3] = 'b1b15';
    rows[19 - 2] = 'bbb15';
    const state = gess.parsePosition(`${rows.join('/')} b 0`);
    expect(stonesByZone(state, 0)).toEqual([8, 0, 1, 1, 1]);
    expect(stonesByZone(state, 1)).toEqual([8, 0, 0, 0, 0]);
  });
});

test('a figure is counted by the policy and compared with all legal moves', () => {
  const state = gess.initialState();
  const buffer = new Int32Array(gess.maxLegalActions);
  const actions = buffer.subarray(0, gess.legalActions(state, buffer));
  const ring = gess.parseAction('l3-l4');
  const policy = Array.from(actions, (action) => (action === ring ? 1 : 0));
  const use = new FigureUse();
  use.add(0, state, actions, policy);
  const [first] = use.most(1);
  expect(first).toMatchObject({ figure: '7-5-7', name: 'ring', moves: 1 });
  expect(first!.preference).toBeGreaterThan(10);
});

test('ends are told apart by the last mover', () => {
  const end = (part: Partial<GameEnd>): GameEnd => ({
    plies: 10,
    ruled: null,
    result: null,
    nextPlayer: 0,
    isProvenLoss: false,
    lastFigure: null,
    threats: [],
    ...part,
  });
  const ends = [
    // White moved last and has won: Black's ring was taken.
    end({ ruled: -1, result: -1, nextPlayer: 0, lastFigure: '2-0-0', plies: 20 }),
    // Black moved last and has lost: Black gave up its own ring.
    end({ ruled: -1, result: -1, nextPlayer: 1, lastFigure: '7-5-7', plies: 30 }),
    // The same, after a search that had found every move lost.
    end({ ruled: 1, result: 1, nextPlayer: 0, isProvenLoss: true, threats: ['2-0-0', '7-2-7'], plies: 40 }),
    end({ result: 1 }),
    end({}),
  ];
  expect(summarizeEnds(ends)).toMatchObject({
    ends: { ringTaken: 1, conceded: 1, ringGivenUp: 1, adjudicated: 1, cut: 1 },
    blackWins: 2,
    draws: 0,
    whiteWins: 2,
    blackScore: { mean: 1 / 2 },
    lastFigures: [{ figure: '2-0-0', games: 1 }],
    threats: [
      { figure: '2-0-0', games: 1 },
      { figure: '7-2-7', games: 1 },
    ],
    concededTo: { several: 1, none: 0 },
  });
});

test('the error of a share is that of games, not of moves', () => {
  const state = gess.initialState();
  const buffer = new Int32Array(gess.maxLegalActions);
  const actions = buffer.subarray(0, gess.legalActions(state, buffer));
  const policyOf = (move: string): number[] =>
    Array.from(actions, (action) => (action === gess.parseAction(move) ? 1 : 0));
  const use = new FigureUse();
  // 8 games move the ring only, 8 never: the error is 1.96 * sqrt(0.25 / 16), however long the games are.
  for (let game = 0; game < 16; game++)
    for (let ply = 0; ply < 10; ply++) use.add(game, state, actions, policyOf(game % 2 ? 'l3-l4' : 'c7-c8'));
  const ring = use.most(4).find(({ name }) => name === 'ring')!;
  expect(ring.moves).toBeCloseTo(0.5, 6);
  expect(ring.error).toBeCloseTo(1.96 * Math.sqrt(0.25 / 16), 3);
});

/** Black's ring at c3, White's at l18 with a black piece on l10 below it. */
const ATTACK = `${['9www6', '9w1w6', '9www6', ...Array<string>(5).fill('18'), '10b7', '10b7', ...Array<string>(5).fill('18'), 'bbb15', 'b1b15', 'bbb15'].join('/')} w 30`;

test('threats are the figures that would break the ring if their owner were to move', () => {
  const state = gess.parsePosition(ATTACK);
  expect(ringThreats(gess, state)).toContain('2-2-0');
  // Black's ring at c3 is not in reach of any white stone.
  const other = gess.parsePosition(ATTACK.replace(' w ', ' b '));
  expect(ringThreats(gess, other)).toEqual([]);
});

describe('removed stones', () => {
  /** Values a position by the difference of stones, one tenth each. */
  const counting: Agent<GessPosition> = {
    name: 'counting',
    game: gess,
    chooseAll: (turns) =>
      Promise.resolve(
        turns.map(({ state }) => ({
          action: 0,
          value:
            (placeStones(state, state.player).length - placeStones(state, state.player ? 0 : 1).length) / 10,
        })),
      ),
    dispose: () => Promise.resolve(),
  };

  test('lower the value to their owner; a broken last ring loses the game', async () => {
    const removals = await judgeRemovals(counting, [gess.parsePosition(ATTACK)]);
    const of = (place: string): RemovedStone => removals.find((removed) => removed.place === place)!;
    // Two black stones far from the rings: a tenth of the value is five points.
    expect(of('home')).toMatchObject({ stones: 1, points: expect.closeTo(5) as number });
    expect(of('abroad')).toMatchObject({ stones: 1, points: expect.closeTo(5) as number });
    // From 0.2 to White's worse, the ring stones lose: 1.2 and 0.8 are 60 and 40 points.
    expect(of('ring')).toMatchObject({ stones: 16, points: expect.closeTo(50) as number });
    expect(of('all').stones).toBe(2);
    expect(of('inside').stones).toBe(2);
    expect(of('ply 20 on').stones).toBe(2);
    for (const { points, low, high } of removals) expect([low, high]).toEqual([points, points]);
  });
});

test('a sample has one open position of each game', () => {
  const sample = new PositionSample(gess);
  const packed = new Uint8Array(gess.packedSize);
  gess.pack(gess.initialState(), packed, 0);
  for (const value of [0.9, NaN, -0.2, 0.3]) sample.add(1, packed, value);
  sample.add(2, packed, -0.8);
  sample.add(3, packed, 0);
  expect(sample.positions().map((position) => gess.formatPosition(position))).toEqual([
    gess.formatPosition(gess.initialState()),
    gess.formatPosition(gess.initialState()),
  ]);
});

test('the worth of stones is positive where more stones win, and its interval contains it', async () => {
  const worths = new StoneWorths();
  const more = gess.parsePosition(
    '1w1w1wwwwwwww1w1w1/www1w1wwww1w1w1www/1w1w1wwwwwwww1w1w1/18/18/18/18/18/18/18/18/18/1b2b2b2b2b2b1/18/18/1b1b1bbbbbbbb1b1b1/bbb1b1bbbb1b1b1bbb/1b1b1bbbbbbbb1b1b1 b 0',
  );
  const even = gess.initialState();
  for (let game = 0; game < 40; game++) {
    worths.add(game, more, game % 4 === 0 ? -1 : 1);
    worths.add(game, even, game % 2 === 0 ? -1 : 1);
  }
  const fits: string[] = [];
  const fitted = await worths.fit((done, all) => fits.push(`${done}/${all}`));
  expect(fits[0]).toBe('1/600');
  expect(fits.at(-1)).toBe('600/600');
  for (const { points, low, high } of fitted) {
    expect(low).toBeLessThanOrEqual(points);
    expect(high).toBeGreaterThanOrEqual(points);
  }
  expect(fitted.find(({ place }) => place === 'home')!.points).toBeGreaterThan(0);
});

describe('gess study', () => {
  test('adds up over the shards of a dataset', { timeout: 60_000 }, async () => {
    const folder = join(temporaryFolder(), 'games');
    await runGess('selfplay', '--agent', 'greedy', '--games', '8', '--processes', '1', '--out', folder);
    const study = (await runGessJson('study', folder)) as GessStudy;
    const { ends } = study;
    expect(ends.games).toBe(8);
    expect(ends.blackWins + ends.draws + ends.whiteWins + ends.ends.cut).toBe(8);
    expect(Object.values(ends.ends).reduce((sum, count) => sum + count)).toBe(8);
    expect(study.stages.reduce((sum, { positions }) => sum + positions, 0)).toBe(study.positions);
    const zones = STONE_ZONES.map(({ name }) => name);
    expect(study.stones.map(({ place }) => place)).toEqual([
      ...zones,
      'all',
      'ply 0 on',
      'ply 20 on',
      'ply 40 on',
    ]);
    const { results } = await runGess('study', folder);
    expect(results[0]).toContain('8 games, rules eureka');
    const rows = study.games.map(({ row }) => row);
    expect(rows[0]).toBe(0);
    expect(rows).toEqual([...rows].sort((one, other) => one - other));
    const list = (await runGess('study', folder, '--list')).results[0]!.split('\n');
    expect(list).toHaveLength(9);
    await expect(runGess('study', folder, '--agent', 'greedy')).rejects.toMatchObject({
      code: 'option-value',
    });
    await expect(runGess('study', folder, '--rules', 'gach')).rejects.toMatchObject({ code: 'shard-rules' });
    await expect(runGess('study', temporaryFolder())).rejects.toMatchObject({ code: 'dataset-empty' });
  });

  test('judges removed stones of games with values', { timeout: 60_000 }, async () => {
    const folder = join(temporaryFolder(), 'games');
    const player = ['--agent', 'alphabeta:depth=1', '--games', '2', '--processes', '1'];
    await runGess('selfplay', ...player, '--out', folder);
    const { removals } = (await runGessJson('study', folder, '--agent', 'alphabeta:depth=1')) as GessStudy;
    const [ring] = removals!;
    expect(ring!.place).toBe('ring');
    expect(ring!.low).toBeLessThanOrEqual(ring!.points);
    const { results } = await runGess('study', folder, '--agent', 'alphabeta:depth=1');
    expect(results[0]).toMatch(/removed stone +stones +points +95 %\nring /);
  });
});
