import type { GrowthConfig } from '../config/growth-config.js';

/** The settings of self-play that growth looks at. */
export interface GrowingSettings {
  readonly growth: GrowthConfig;
  readonly search: { readonly simulations: number };
  readonly cheapSimulations: number;
}

/**
 * Simulations of a full search in a generation of self-play: `growth.from` in the first, those of `search` from
 * `growth.generations` later on, and between them a geometric sequence: every doubling takes as long.
 *
 * The idea is that of progressive simulation in Wu et al. 2024, "MiniZero: comparative analysis of AlphaZero and MuZero on Go,
 * Othello, and Atari games": at equal cost, short searches by early networks and long ones by later networks teach more.
 *
 * @param index of the generation among those of self-play, from 0.
 * @returns a whole number from `growth.from` to `search.simulations`.
 */
export function simulationsAt(
  { growth, search }: Pick<GrowingSettings, 'growth' | 'search'>,
  index: number,
): number {
  const { from, generations } = growth;
  if (index >= generations) return search.simulations;
  return Math.round(from * (search.simulations / from) ** (index / generations));
}

/**
 * The settings of self-play in one of its generations: `settings` themselves once they are those. While full searches grow, a
 * cheap one is never longer.
 *
 * @param index as in `simulationsAt`.
 */
export function grownSettings<Settings extends GrowingSettings>(settings: Settings, index: number): Settings {
  const simulations = simulationsAt(settings, index);
  if (simulations === settings.search.simulations) return settings;
  const cheapSimulations = Math.min(settings.cheapSimulations, simulations);
  return { ...settings, search: { ...settings.search, simulations }, cheapSimulations };
}
