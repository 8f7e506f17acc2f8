import assert from 'node:assert/strict';
import fc from 'fast-check';
import { NotationError } from '../../../env/errors.js';
import { createGame, GAME_IDS } from '../../../env/games.js';
import { fuzz } from '../fuzz.js';
import { FUZZED_GAMES } from './fuzzed-games.js';
import { hostileTexts } from '../hostile-texts.js';
import { checkRoundTrip, readOrRefuse } from '../refusal.js';

const RULES = [
  'default',
  'standard,clock=none',
  ...FUZZED_GAMES.flatMap(({ games }) => Array.from(games.keys())),
];
const ALPHABET = [
  ...[
    'eureka',
    'wikipedia',
    'gach',
    'sgf',
    'osu',
    'standard',
    'default',
    ',',
    '=',
    ',,',
    'yes',
    'no',
    'none',
  ],
  ...[
    'startOffBoard=',
    'endOffBoard=',
    'edge=',
    'suicide=',
    'ko=',
    'clock=',
    'superko',
    'illegal',
    'free',
    '180',
  ],
];

fuzz('the text of rules, and the id of a game', {
  input: fc.record({
    id: fc.oneof(
      { weight: 20, arbitrary: fc.constantFrom(...GAME_IDS) },
      { weight: 1, arbitrary: hostileTexts(fc.constantFrom(...GAME_IDS), ['gess', 'connect', '-', 'four']) },
    ),
    text: hostileTexts(fc.constantFrom(...RULES), ALPHABET),
  }),
  runs: 1500,
  law: ({ id, text }) => {
    const found = readOrRefuse(() => createGame(id, text), NotationError, ['game-unknown', 'rules-unknown']);
    if (found === undefined) return false;
    const game = found.value;
    assert.equal(game.id, id);
    checkRoundTrip(game, {
      read: (rules) => createGame(id, rules),
      write: ({ rules }) => rules,
      portrait: (made) => [made.rules, made.countLegalActions(made.initialState())],
    });
    return true;
  },
});
