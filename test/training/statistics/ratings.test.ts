import { expect, test } from 'vitest';
import { isLong } from '../../long-tests.js';
import { createRng, type Rng } from '../../../env/random.js';
import { momentsOfGame } from '../../../training/statistics/draw-model.js';
import { eloOfScore } from '../../../training/statistics/elo.js';
import { pentanomialOf } from '../../../training/statistics/pentanomial.js';
import { type Pairing, ratePlayers } from '../../../training/statistics/ratings.js';
import { drawPair, pairsOfGap } from './simulated-pairs.js';

/** Number of ladders whose coverage is measured; with LONG_TESTS=1 precise to a percent. */
const LADDERS = isLong ? 2000 : 100;

const NATURAL = Math.LN10 / 400;

/** Games in pairs; `counts` are wins, draws and losses. */
function pairing(first: number, second: number, counts: readonly [number, number, number]): Pairing {
  const [wins, draws, losses] = counts;
  const points = [1, 0.5, 0].flatMap((each, index) => Array<number>(counts[index]!).fill(each));
  const pairs = Array.from(
    { length: points.length >> 1 },
    (_, pair) => points[2 * pair]! + points[2 * pair + 1]!,
  );
  return { first, second, wins, draws, losses, pentanomial: pentanomialOf(pairs) };
}

/** A thousand times the games: the prior is then negligible. */
function often(
  first: number,
  second: number,
  [wins, draws, losses]: readonly [number, number, number],
): Pairing {
  return pairing(first, second, [1000 * wins, 1000 * draws, 1000 * losses]);
}

test('two players without draws have the Elo difference of their score', () => {
  const { players, drawShare } = ratePlayers([often(0, 1, [24, 0, 76])], 2, 0);
  expect(players[0]).toEqual({ rating: 0, low: 0, high: 0 });
  expect(players[1]!.rating).toBeCloseTo(eloOfScore(0.76), 1);
  expect(drawShare).toBe(0);
});

test('with draws a small difference is still the Elo difference of the score', () => {
  const { players, drawShare } = ratePlayers([often(1, 0, [26, 50, 24])], 2, 0);
  expect(players[1]!.rating).toBeCloseTo(eloOfScore(0.51), 1);
  expect(drawShare).toBeCloseTo(0.5, 3);
});

test('the published example of tennis players', () => {
  // Agresti, "An Introduction to Categorical Data Analysis", third edition, 2019, section 8.5.1: Djokovic 1.176,
  // Federer 1.136, Murray -0.569, Nadal -0.062, Wawrinka 0.
  const games = [
    often(0, 1, [9, 0, 6]),
    often(0, 2, [14, 0, 3]),
    often(0, 3, [9, 0, 2]),
    often(0, 4, [4, 0, 3]),
    often(1, 2, [5, 0, 0]),
    often(1, 3, [5, 0, 1]),
    often(1, 4, [7, 0, 2]),
    often(2, 3, [2, 0, 4]),
    often(2, 4, [2, 0, 2]),
    often(3, 4, [4, 0, 3]),
  ];
  const strengths = ratePlayers(games, 5, 4).players.map((player) => NATURAL * player!.rating);
  for (const [index, published] of [1.176, 1.136, -0.569, -0.062, 0].entries()) {
    expect(Math.abs(strengths[index]! - published)).toBeLessThan(0.001);
  }
});

test('at the maximum each player has the expected points, and all have the expected draws', () => {
  const games = [often(0, 1, [10, 6, 4]), often(1, 2, [11, 3, 6]), often(0, 2, [14, 5, 1])];
  const { players, drawShare } = ratePlayers(games, 3, 2);
  const weight = (2 * drawShare) / (1 - drawShare);
  const strengthOf = (player: number): number => (players[player]!.rating * NATURAL * (2 + weight)) / 2;
  const surprises = [0, 0, 0];
  let draws = 0;
  for (const { first, second, wins, draws: drawn, losses } of games) {
    const expected = momentsOfGame(strengthOf(first) - strengthOf(second), weight);
    const surprise = wins + drawn / 2 - (wins + drawn + losses) * expected.mean;
    surprises[first]! += surprise;
    surprises[second]! -= surprise;
    draws += drawn - (wins + drawn + losses) * expected.draw;
  }
  for (const surprise of [...surprises, draws]) expect(Math.abs(surprise)).toBeLessThan(1);
});

test('a player who won every game has a finite rating and no upper bound, one who lost every game no lower one', () => {
  const [, better, worse, apart] = ratePlayers(
    [pairing(1, 0, [20, 0, 0]), pairing(2, 0, [0, 0, 20]), pairing(3, 4, [9, 1, 10])],
    5,
    0,
  ).players;
  expect(better!.rating).toBeGreaterThan(300);
  expect(better!.high).toBeNull();
  expect(better!.low).toBeGreaterThan(0);
  expect(worse!.rating).toBeCloseTo(-better!.rating, 6);
  expect(worse!.low).toBeNull();
  expect(worse!.high).toBeLessThan(0);
  // No game connects it with the anchor.
  expect(apart).toBeNull();
});

test('an interval is unbounded behind a link that was never lost', () => {
  // 2 and 1 are even, and 1 won every game with the anchor.
  const { players } = ratePlayers([pairing(1, 0, [20, 0, 0]), pairing(2, 1, [10, 0, 10])], 3, 0);
  for (const player of [1, 2]) {
    expect(players[player]!.high).toBeNull();
    expect(players[player]!.low).not.toBeNull();
  }
});

test('without games, or with drawn games only, ratings are equal', () => {
  expect(ratePlayers([], 2, 1).players).toEqual([null, { rating: 0, low: 0, high: 0 }]);
  expect(ratePlayers([pairing(0, 1, [0, 40, 0])], 2, 1).players[0]!.rating).toBeCloseTo(0, 6);
});

/** Pairs of independent games of players with this difference of strengths, drawn from the model. */
function drawGames(
  rng: Rng,
  difference: number,
  drawWeight: number,
  pairs: number,
): Omit<Pairing, 'first' | 'second'> {
  const { mean, draw } = momentsOfGame(difference, drawWeight);
  const counts = [0, 0, 0, 0, 0];
  const results = [0, 0, 0];
  for (let pair = 0; pair < pairs; pair++) {
    const points = [0, 1].map(() => {
      const chance = rng.float();
      return chance < mean - draw / 2 ? 1 : chance < mean + draw / 2 ? 0.5 : 0;
    });
    for (const each of points) results[2 * each]! += 1;
    counts[2 * (points[0]! + points[1]!)]! += 1;
  }
  const [losses, draws, wins] = results;
  return { wins: wins!, draws: draws!, losses: losses!, pentanomial: counts };
}

/** Share of the ratings of simulated ladders whose interval contains the true rating. */
function coverageOf(
  truth: readonly number[],
  play: (rng: Rng, first: number, second: number) => Pairing,
): number {
  let covered = 0;
  for (let ladder = 0; ladder < LADDERS; ladder++) {
    const rng = createRng(1, 'ladder', ladder);
    const games = truth.flatMap((_, first) =>
      // A gauntlet: two anchors and two predecessors.
      truth.flatMap((_other, second) =>
        second < first && (second < 2 || first - second <= 2) ? [play(rng, first, second)] : [],
      ),
    );
    const { players } = ratePlayers(games, truth.length, 0);
    for (const [player, { low, high }] of players.map((each) => each!).entries()) {
      if (player > 0 && truth[player]! >= (low ?? -Infinity) && truth[player]! <= (high ?? Infinity))
        covered += 1;
    }
  }
  return covered / (LADDERS * (truth.length - 1));
}

// The ratings of a ladder share the anchor's games, so their intervals are not independent.
const slack = 3 * Math.sqrt((0.05 * 0.95) / LADDERS);

test.each([{ drawWeight: 0 }, { drawWeight: 0.5 }])(
  'ladders of players with known ratings recover them within the intervals: draws of weight $drawWeight',
  ({ drawWeight }) => {
    const coverage = coverageOf([0, 150, 250, 400, 700, 900, 1000], (rng, first, second) => {
      const truth = [0, 150, 250, 400, 700, 900, 1000];
      const difference = ((truth[first]! - truth[second]!) * NATURAL * (2 + drawWeight)) / 2;
      return { first, second, ...drawGames(rng, difference, drawWeight, 20) };
    });
    expect(Math.abs(coverage - 0.95)).toBeLessThan(slack);
  },
);

test('ladders with dependent games in each pair recover the ratings too', () => {
  const truth = [0, 60, 100, 200, 260];
  const coverage = coverageOf(truth, (rng, first, second) => {
    const probabilities = pairsOfGap(truth[first]! - truth[second]!);
    const counts = [0, 0, 0, 0, 0];
    for (let pair = 0; pair < 50; pair++) counts[drawPair(probabilities, rng)]! += 1;
    const [none, half, one, more, all] = counts as [number, number, number, number, number];
    // A pair with one point is a win and a loss.
    const results = { wins: one + more + 2 * all, draws: half + more, losses: 2 * none + half + one };
    return { first, second, ...results, pentanomial: counts };
  });
  expect(Math.abs(coverage - 0.95)).toBeLessThan(slack);
});

test('a chain of 400 players each of whom beat the one before is rated to its end', () => {
  const chain = (players: number): readonly Pairing[] =>
    Array.from({ length: players - 1 }, (_, player) => pairing(player + 1, player, [10, 0, 0]));
  const [shorter, longer] = [200, 400].map((count) => ratePlayers(chain(count), count, 0).players);
  const step = shorter![199]!.rating - shorter![198]!.rating;
  expect(step).toBeGreaterThan(400);
  expect(longer![399]!.rating - longer![398]!.rating).toBeCloseTo(step, 3);
  expect(longer![399]!.rating).toBeCloseTo(shorter![199]!.rating + 200 * step, 0);
});

test('ratings do not depend on the order of the players', () => {
  const rng = createRng(5, 'order');
  const count = 12;
  const games = Array.from({ length: 40 }, () => [rng.integer(count), rng.integer(count)] as const)
    .filter(([one, other]) => one !== other)
    .map(([one, other]) => pairing(one, other, [1 + rng.integer(9), rng.integer(3), 1 + rng.integer(9)]));
  const reversed = games.map((game) => ({
    ...game,
    first: count - 1 - game.first,
    second: count - 1 - game.second,
  }));
  const ratings = ratePlayers(games, count, 0).players;
  const mirrored = ratePlayers(reversed, count, count - 1).players.toReversed();
  for (const [player, rating] of ratings.entries()) {
    expect(mirrored[player]!.rating).toBeCloseTo(rating!.rating, 6);
    expect(mirrored[player]!.low).toBeCloseTo(rating!.low!, 6);
  }
});
