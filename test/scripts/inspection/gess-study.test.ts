import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createGess } from '../../../env/gess/gess.js';
import { FigureUse } from '../../../scripts/inspection/gess-study/figure-use.js';
import { type GameEnd, summariseEnds } from '../../../scripts/inspection/gess-study/game-ends.js';
import type { GessStudy } from '../../../scripts/inspection/gess-study/gess-study.js';
import { StoneWorths } from '../../../scripts/inspection/gess-study/stone-worth.js';
import { STONE_ZONES, stonesByZone } from '../../../scripts/inspection/gess-study/stone-zones.js';
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
    // Black's ring at c3, White's at s18, a black stone at k5 and one at k16, far from both, and one at p15, near White's.
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
  use.add(state, actions, policy);
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
    lastFigure: null,
    ...part,
  });
  const ends = [
    // White moved last and has won: Black's ring was taken.
    end({ ruled: -1, result: -1, nextPlayer: 0, lastFigure: '2-0-0', plies: 20 }),
    // Black moved last and has lost: the own ring was given up.
    end({ ruled: -1, result: -1, nextPlayer: 1, lastFigure: '7-5-7', plies: 30 }),
    end({ result: 1 }),
    end({}),
  ];
  expect(summariseEnds(ends)).toMatchObject({
    ends: { ringTaken: 1, ringGivenUp: 1, adjudicated: 1, cut: 1 },
    blackWins: 1,
    draws: 0,
    whiteWins: 2,
    blackScore: { mean: 1 / 3 },
    lastFigures: [{ figure: '2-0-0', games: 1 }],
  });
});

test('the worth of stones is positive where more stones win, and its interval holds it', () => {
  const worths = new StoneWorths();
  const more = gess.parsePosition(
    '1w1w1wwwwwwww1w1w1/www1w1wwww1w1w1www/1w1w1wwwwwwww1w1w1/18/18/18/18/18/18/18/18/18/1b2b2b2b2b2b1/18/18/1b1b1bbbbbbbb1b1b1/bbb1b1bbbb1b1b1bbb/1b1b1bbbbbbbb1b1b1 b 0',
  );
  const even = gess.initialState();
  for (let game = 0; game < 40; game++) {
    worths.add(game, more, game % 4 === 0 ? -1 : 1);
    worths.add(game, even, game % 2 === 0 ? -1 : 1);
  }
  for (const { points, low, high } of worths.fit()) {
    expect(low).toBeLessThanOrEqual(points);
    expect(high).toBeGreaterThanOrEqual(points);
  }
  expect(worths.fit().find(({ zone }) => zone === 'home')!.points).toBeGreaterThan(0);
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
    expect(study.stones.map(({ zone }) => zone)).toEqual(STONE_ZONES.map(({ name }) => name));
    const { results } = await runGess('study', folder);
    expect(results[0]).toContain('8 games, rules eureka');
    await expect(runGess('study', folder, '--rules', 'gach')).rejects.toMatchObject({ code: 'shard-rules' });
    await expect(runGess('study', temporaryFolder())).rejects.toMatchObject({ code: 'dataset-empty' });
  });
});
