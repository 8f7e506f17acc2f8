import type { GrowthConfig } from '../config/self-play-config.js';

/** The settings of self-play on which growth depends. */
export interface GrowingSettings {
  readonly growth: GrowthConfig;
  readonly search: { readonly simulations: number };
  readonly cheapSimulations: number;
}

/**
 * Simulations of a full search in a generation of self-play: `growth.from` in the first, those of `search` after
 * `growth.generations` more, and a geometric sequence in between, so that every doubling takes the same number of
 * generations.
 *
 * This is progressive simulation in Wu et al. 2024, "MiniZero: comparative analysis of AlphaZero and MuZero on Go,
 * Othello, and Atari games": at equal cost, short searches by early networks and long ones by later networks teach more.
 *
 * @param index of the generation among those of self-play, from 0.
 * @returns an integer from `growth.from` to `search.simulations`.
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
 * The settings of self-play in one of its generations: `settings` themselves once growth has ended. Until then a cheap
 * search is never longer than a full one.
 *
 * @param index as in `simulationsAt`.
 */
export function grownSettings<Settings extends GrowingSettings>(settings: Settings, index: number): Settings {
  const simulations = simulationsAt(settings, index);
  if (simulations === settings.search.simulations) return settings;
  const cheapSimulations = Math.min(settings.cheapSimulations, simulations);
  return { ...settings, search: { ...settings.search, simulations }, cheapSimulations };
}
