import type { OptionValue } from './option-list.js';
import type { PlayOptions } from '../play-options.js';
import { DEFAULT_SIMULATIONS, TIMED_LEAVES } from '../search-defaults.js';

/** Options of an agent's text, by name. */
export type GivenOptions = Readonly<Record<string, OptionValue | undefined>>;

/** The given options of an `mcts` agent, with the default number of simulations if nothing limits its search. */
export function withSimulations(options: GivenOptions): GivenOptions {
  const { simulations, nodes, timeMs } = options;
  const isLimited = (simulations ?? nodes ?? timeMs) !== undefined;
  return isLimited ? options : { ...options, simulations: DEFAULT_SIMULATIONS };
}

const OF_EVERY_SEARCH = ['leaves'] as const;
/** Symmetries make a simulation better and slower, so within a time limit there are fewer of them. */
const WITHOUT_TIME_LIMIT = ['symmetries'] as const;
const OF_PUCT = ['exploration', 'firstPlayReduction'] as const;

/**
 * The model's options that apply to an `mcts` agent with these options in its text. Within a time limit, several leaves
 * are evaluated together. The precision is not among them: it has chosen the file of the model, and a text that names a
 * file has none.
 */
export function playOptionsFor({ model, root, timeMs }: GivenOptions, options: PlayOptions): PlayOptions {
  const names = [
    ...OF_EVERY_SEARCH,
    ...(timeMs === undefined ? WITHOUT_TIME_LIMIT : []),
    ...(root === 'gumbel' ? [] : OF_PUCT),
  ];
  const given = names.filter((name) => options[name] !== undefined);
  return {
    ...(model !== undefined && timeMs !== undefined && { leaves: TIMED_LEAVES }),
    ...Object.fromEntries(given.map((name) => [name, options[name]])),
  };
}
