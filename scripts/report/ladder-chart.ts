import type { Standing, Standings } from '../../training/matches/ladder/standings.js';
import type { Chart, Curve, CurvePoint } from './chart.js';

function pointOf({ generation, rating, low, high }: Standing): readonly CurvePoint[] {
  if (rating === null || generation === null) return [];
  return [{ generation, value: rating, low, high }];
}

/** Most fixed agents that are drawn, so that the legend stays short. */
const MAX_FIXED = 6;

/**
 * Ratings over generations: a curve for each run, and a level for each fixed agent.
 *
 * @returns null without a rated checkpoint.
 */
export function ladderChart({ players }: Standings): Chart | null {
  const series = [...new Set(players.flatMap((player) => player.series ?? []))].sort();
  const curves = series
    .map((name): Curve => {
      const points = players.filter((player) => player.series === name).flatMap(pointOf);
      return { name, points: points.sort((a, b) => a.generation - b.generation) };
    })
    .filter(({ points }) => points.length > 0);
  if (curves.length === 0) return null;
  const generations = curves.flatMap(({ points }) => points.map(({ generation }) => generation));
  const ends = [...new Set([Math.min(...generations), Math.max(...generations)])];
  const levels = players
    .filter(({ generation, rating }) => generation === null && rating !== null)
    .slice(0, MAX_FIXED)
    .map(({ name, rating }): Curve => {
      return { name, isLevel: true, points: ends.map((generation) => ({ generation, value: rating! })) };
    });
  return { title: 'Ratings, with 95 % interval', unit: 'Elo', curves: [...curves, ...levels] };
}
