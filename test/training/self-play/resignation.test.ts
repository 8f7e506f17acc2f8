import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { connectFour } from '../../../env/connect-four/connect-four.js';
import { createRng } from '../../../env/random.js';
import { SelfPlayConfig } from '../../../training/config/groups/self-play-config.js';
import type { FinishedGame } from '../../../training/self-play/training-game.js';
import { calibrateResignation, LOW_BINS, ResignationWatch } from '../../../training/self-play/resignation.js';
import type { GameStatistics } from '../../../training/self-play/self-play-statistics.js';
import { sumStatistics } from '../../../training/self-play/self-play-statistics.js';
import { playSelfPlayGames } from '../../../training/self-play/self-play.js';
import { HashEvaluator } from '../../agents/evaluators/hash-evaluator.js';

const config = SelfPlayConfig.parse({ search: { simulations: 12 }, resignValue: -0.1, playOnShare: 0.25 });

function play(changes: Partial<SelfPlayConfig> = {}, games = 60): Promise<readonly FinishedGame[]> {
  const rules = { game: connectFour, config: { ...config, ...changes }, seed: 3 };
  return playSelfPlayGames(rules, { firstGame: 0, games }, new HashEvaluator());
}

function total(games: readonly FinishedGame[]): GameStatistics {
  return sumStatistics(games.map(({ statistics }) => statistics));
}

function sum(counts: readonly number[]): number {
  return counts.reduce((all, count) => all + count, 0);
}

describe('self-play with resignation', () => {
  test('ends games with a loss of the player who resigns', async () => {
    const games = await play();
    const { resigned, wins, draws, losses, plies } = total(games);
    expect(resigned).toBeGreaterThan(10);
    expect(wins + draws + losses).toBe(60);
    expect(plies).toBeLessThan(total(await play({ resignValue: -1 })).plies);
    for (const { samples, statistics } of games) {
      // No player continued after such a value.
      const given = samples.filter(({ rootValue }) => rootValue! < config.resignValue);
      if (statistics.playedOn === 0) expect(given).toEqual([]);
      for (const { pliesLeft } of samples) expect(pliesLeft).toBeGreaterThanOrEqual(1);
      const last = samples.at(-1);
      // Some games are resigned at the first search and have no rows.
      if (statistics.resigned === 0 || last === undefined) continue;
      // The player of the next row resigned.
      expect(last.result).toBe(1);
      expect(last.pliesLeft).toBe(1);
    }
  });

  test('plays a share of games to their end and records who would have resigned', async () => {
    const { playedOn, resigned, loserLows, survivorLows, draws } = total(await play({ playOnShare: 1 }));
    expect(playedOn).toBe(60);
    expect(resigned).toBe(0);
    expect(sum(loserLows)).toBeLessThanOrEqual(60 - draws);
    expect(sum(survivorLows)).toBeLessThanOrEqual(60);
    expect(sum(survivorLows)).toBeGreaterThan(0);
    const share = total(await play({}, 200)).playedOn / 200;
    expect(Math.abs(share - 0.25)).toBeLessThan(0.1);
  });

  test('counts only searches after the last random move', async () => {
    // Every other move is random, so only a game's last search counts: that of the winner, who sees the win.
    const { survivorLows } = total(await play({ playOnShare: 1, randomMoveShare: 1 }));
    expect(sum(survivorLows)).toBe(0);
  });

  test('does not depend on the batches', async () => {
    expect(await play({ concurrentGames: 3 })).toEqual(await play());
  });

  test('records the lowest values of losers and of survivors', () => {
    const rng = createRng(1);
    const watch = new ResignationWatch({ ...config, playOnShare: 1 }, rng);
    expect(watch.resigns(0, -0.62)).toBe(false);
    expect(watch.resigns(1, 0.7)).toBe(false);
    expect(watch.resigns(0, -0.1)).toBe(false);
    expect(watch.resigns(1, -0.97)).toBe(false);
    expect(watch.summary(1, false)).toMatchObject({ survivorBin: 7, loserBin: 0 });
    expect(watch.summary(-1, false)).toMatchObject({ survivorBin: 0, loserBin: 7 });
    expect(watch.summary(0, false)).toMatchObject({ survivorBin: 0, loserBin: null });
    expect(watch.summary(null, false)).toMatchObject({ survivorBin: null, loserBin: null });
  });
});

describe('calibration', () => {
  const none = sumStatistics([]);
  const bins = (counts: Readonly<Record<number, number>>): number[] =>
    Array.from({ length: LOW_BINS }, (_, bin) => counts[bin] ?? 0);

  test('calibrates to a higher value if wrong resignations are rare, to a lower one if not', () => {
    const safe = { ...none, playedOn: 100, loserLows: bins({ 0: 60, 6: 30 }), survivorLows: bins({ 9: 50 }) };
    // Bin 8 ends at -0.55; up to there, only losers would have resigned.
    expect(calibrateResignation(config, safe)).toBeCloseTo(-0.55, 10);
    const risky = { ...safe, survivorLows: bins({ 1: 10 }) };
    expect(calibrateResignation(config, risky)).toBeCloseTo(-0.95, 10);
    const never = { ...safe, survivorLows: bins({ 0: 10 }) };
    expect(calibrateResignation(config, never)).toBe(-0.999);
  });

  test('keeps the configured value with few games or without calibration', () => {
    const few = { ...none, playedOn: 19, loserLows: bins({ 0: 19 }) };
    expect(calibrateResignation(config, few)).toBe(config.resignValue);
    const many = { ...none, playedOn: 50, loserLows: bins({ 0: 50 }) };
    expect(calibrateResignation({ ...config, resignErrorShare: 0 }, many)).toBe(config.resignValue);
    expect(calibrateResignation({ ...config, resignValue: -1 }, many)).toBe(-1);
  });

  test('never exceeds the configured share of errors', () => {
    const counts = fc.array(fc.nat(30), { minLength: LOW_BINS, maxLength: LOW_BINS });
    fc.assert(
      fc.property(
        counts,
        counts,
        fc.double({ min: 0.01, max: 1, noNaN: true }),
        (losers, survivors, share) => {
          const seen = { ...none, playedOn: 1000, loserLows: losers, survivorLows: survivors };
          const value = calibrateResignation({ ...config, resignErrorShare: share }, seen);
          const below = Math.max(0, Math.round((value + 1) * LOW_BINS));
          const wrong = sum(survivors.slice(0, below));
          expect(value).toBeLessThanOrEqual(-0.5);
          expect(wrong).toBeLessThanOrEqual(share * (wrong + sum(losers.slice(0, below))) + 1e-9);
        },
      ),
    );
  });
});
