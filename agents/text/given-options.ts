import type { OptionValue } from './option-list.js';
import type { PlayOptions } from '../play-options.js';
import { DEFAULT_SIMULATIONS } from '../search-defaults.js';

/** Options of an agent's text, by name. */
export type GivenOptions = Readonly<Record<string, OptionValue | undefined>>;

/** The given options of an `mcts` agent, with the default number of simulations if nothing limits its search. */
export function withSimulations(options: GivenOptions): GivenOptions {
  const { simulations, nodes, timeMs } = options;
  const isLimited = (simulations ?? nodes ?? timeMs) !== undefined;
  return isLimited ? options : { ...options, simulations: DEFAULT_SIMULATIONS };
}

/** The model's options that apply to an `mcts` agent with this root. */
export function playOptionsFor(
  root: OptionValue | undefined,
  { symmetries, leaves, precision, ...ofPuct }: PlayOptions,
): PlayOptions {
  return {
    ...(symmetries !== undefined && { symmetries }),
    ...(leaves !== undefined && { leaves }),
    ...(precision !== undefined && { precision }),
    ...(root !== 'gumbel' && ofPuct),
  };
}
