/** Greatest number of simulations of one search. */
export const MAX_SIMULATIONS = 1_000_000;
/** Maximum number of positions of one search. */
export const MAX_NODES = 1e12;
/** Longest time of a move: eleven days. The runtime's timers fire at once beyond 24 days. */
export const MAX_TIME_MS = 1e9;

/** Simulations of a search that nothing limits. */
export const DEFAULT_SIMULATIONS = 64;

/** Defaults of the settings of a tree search with PUCT (search-config.ts). */
export const PUCT_DEFAULTS = {
  root: 'puct',
  decisiveMoves: true,
  exploration: 1.25,
  firstPlayReduction: 0.25,
} as const;

/** Default of `leaves` of a search with a network and a time limit (docs/results/runs.md, "Leaves within a time"). */
export const TIMED_LEAVES = 4;

/** Defaults of the other options of an `mcts` agent with PUCT (agent-spec.ts). */
export const MCTS_DEFAULTS = { leaves: 1, temperature: 0 } as const;
