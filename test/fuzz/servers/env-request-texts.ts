import fc from 'fast-check';
import { JSON_MARKS } from '../hostile-texts.js';

/** Words of requests to `gess env-server`. */
export const ENV_WORDS = [
  ...JSON_MARKS,
  ...['"id":1', '"method":', '"params":', '"env":1', '"kwargs":', '"plyLimit":', '"make"', '"reset"'],
  ...['"step"', '"restore"', '"state":', '"gess/Quess"', '"gess/ConnectFour"', '"moves":'],
];

const params = fc.record(
  {
    env: fc.constantFrom(1, 1, 1, 2),
    action: fc.constantFrom(0, 3, 6, null, 1e308),
    seed: fc.constantFrom(0, 7, 2 ** 53 - 1),
    seconds: fc.constantFrom(0, 1e308),
    moves: fc.constantFrom('3 3 4', ''),
    agent: fc.constantFrom('red', 'yellow'),
    id: fc.constantFrom('gess/ConnectFour', 'gess/Quess-v0'),
    kwargs: fc.constantFrom({}, { plyLimit: 3 }, { rules: 'standard,clock=10' }),
    renderMode: fc.constantFrom('ansi', 'svg', null),
    observe: fc.boolean(),
  },
  { requiredKeys: [] },
);
/** The members of `params` that each method takes. */
const MEMBERS = {
  hello: [],
  make: ['id', 'kwargs', 'renderMode'],
  reset: ['env', 'seed', 'moves', 'observe'],
  step: ['env', 'action', 'observe'],
  last: ['env'],
  observe: ['env', 'agent'],
  render: ['env'],
  save: ['env'],
} as const;
/** Requests to `gess env-server`, mostly sound ones. */
export const envRequests = fc
  .tuple(fc.constantFrom(...Object.entries(MEMBERS)), params)
  .map(([[method, names], all]) => {
    const chosen = Object.entries(all).filter(([name]) => (names as readonly string[]).includes(name));
    return JSON.stringify({ id: 1, method, params: Object.fromEntries(chosen) });
  });
