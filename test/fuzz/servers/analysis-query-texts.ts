import fc from 'fast-check';
import { FUZZED_GAMES, moveLists } from '../games/fuzzed-games.js';
import { JSON_MARKS } from '../hostile-texts.js';

/** Words of queries to `gess engine --json`. */
export const ANALYSIS_WORDS = [
  ...JSON_MARKS,
  ...['"id":"q"', '"game":', '"rules":', '"moves":', '"position":', '"turns":', '"agent":', '"limits":'],
  ...['"lines":', '"policy":true', '"seed":', '"priority":', '"reportDuringSearch":true', '"action":'],
  ...['"terminateId":', '"terminate"', '"terminate_all"', '"query_version"', '"gess"', '"quess"'],
  ...['"random"', '"greedy"', '"alphabeta:depth=1"', '"policy:model=/dev/zero"', 'f6-f7 ', '3 '],
  ...['{"depth":1}'],
];

const optional = <T>(values: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(values, { nil: undefined, freq: 2 });

const queries = fc.constantFrom(...FUZZED_GAMES).chain(({ id, games, positions }) =>
  fc.record({
    id: fc.oneof(fc.constantFrom('a', 'b', ''), fc.integer()),
    game: fc.constant(id),
    rules: fc.constantFrom(...games.keys()),
    moves: moveLists(id),
    position: optional(positions),
    turns: optional(fc.constantFrom([0], [0, 1, 0])),
    agent: fc.constantFrom('random', 'greedy', 'alphabeta:depth=1', 'mcts:simulations=4,rollouts=1'),
    limits: optional(fc.constantFrom({ nodes: 50 }, { simulations: 5, depth: 1 }, { timeMs: 1 })),
    lines: optional(fc.integer({ min: 1, max: 64 })),
    policy: optional(fc.boolean()),
    seed: optional(fc.nat()),
    priority: optional(fc.integer({ min: -5, max: 5 })),
    reportDuringSearch: optional(fc.boolean()),
  }),
);

const actions = fc.constantFrom<object>(
  { id: 't', action: 'terminate', terminateId: 'a' },
  { id: 't', action: 'terminate_all' },
  { id: 'v', action: 'query_version' },
);

/** Lines to `gess engine --json`, mostly sound ones. */
export const analysisQueries = fc
  .oneof({ weight: 5, arbitrary: queries }, { weight: 1, arbitrary: actions })
  .map((query) => JSON.stringify(query));
