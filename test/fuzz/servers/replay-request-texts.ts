import fc from 'fast-check';
import { FUZZED_GAMES, moveLists } from '../games/fuzzed-games.js';
import { JSON_MARKS } from '../hostile-texts.js';

/** Words of requests to `gess replay --batch`. */
export const REPLAY_WORDS = [
  ...JSON_MARKS,
  ...['"game":', '"rules":', '"moves":', '"position":', '"force":true', '"gess"', '"quess"'],
  ...['"connect-four"', 'f6-f7 ', 'F2-D3 ', '3 ', 'a1-s19 ', 't20-b2 ', '"eureka,ko=superko"'],
  ...['"standard,clock=180"', ' 180 180'],
];

/** Sound requests to `gess replay --batch`. */
export const replayRequests = fc.constantFrom(...FUZZED_GAMES).chain(({ id, games, positions }) =>
  fc
    .record({
      game: fc.constant(id),
      rules: fc.constantFrom(...games.keys()),
      moves: moveLists(id),
      position: fc.option(positions, { nil: undefined, freq: 3 }),
      force: fc.constantFrom(undefined, true, false),
    })
    .map((request) => JSON.stringify(request)),
);
