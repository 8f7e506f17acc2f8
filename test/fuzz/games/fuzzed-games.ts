import fc from 'fast-check';
import type { Game } from '../../../env/game.js';
import { createGame } from '../../../env/games.js';
import { parseMoves, positionAfter } from '../../../env/replay/replay.js';
import { playPicks } from '../../env/game-picks.js';
import { readPerftCases } from '../../env/perft-fixture.js';
import { PUBLISHED_GAME } from '../../env/gess/published-game.js';

const GESS_RULES = [
  ...['eureka', 'wikipedia', 'wikipedia,edge=stone', 'wikipedia,edge=strict', 'gach', 'sgf', 'osu'],
  ...['eureka,suicide=illegal', 'eureka,startOffBoard=no', 'sgf,edge=strict', 'osu,edge=enter'],
];

/** A game under all its rules. */
export interface FuzzedGame {
  readonly id: string;
  /** The games by the text of their rules, which keeps the messages of failures short. */
  readonly games: ReadonlyMap<string, Game<unknown>>;
  /** Texts of positions, without clocks. */
  readonly positions: fc.Arbitrary<string>;
  /** Words of positions' texts. */
  readonly alphabet: readonly string[];
}

const picks = fc.array(fc.nat(2 ** 20), { maxLength: 30 });

/** Positions of games whose moves are chosen by numbers. */
function reached(game: Game<unknown>): fc.Arbitrary<string> {
  return picks.map((numbers) => game.formatPosition(playPicks(game, numbers)));
}

function fixtures(file: string): fc.Arbitrary<string> {
  const texts = readPerftCases(file).map(({ rules, position, moves }) => {
    const game = createGame(file.replace(/\.perft$/, ''), rules);
    return game.formatPosition(positionAfter(game, { position, moves }));
  });
  return fc.constantFrom(...new Set(texts));
}

function gamesOf(id: string, rules: readonly string[]): ReadonlyMap<string, Game<unknown>> {
  return new Map(rules.map((text) => [text, createGame(id, text)]));
}

const gess = createGame('gess');
const quess = createGame('quess');
const connectFour = createGame('connect-four');

const gessText = fc.oneof(
  { weight: 5, arbitrary: fixtures('gess.perft') },
  fc.constantFrom(gess.formatPosition(gess.initialState())),
);
const quessText = fc.oneof(fixtures('quess.perft'), reached(quess));
const clocks = fc
  .tuple(fc.integer({ min: 0, max: 200_000 }), fc.integer({ min: 0, max: 200_000 }))
  .map((times) => times.map((ms) => ` ${ms / 1000}`).join(''));

export const FUZZED_GAMES: readonly FuzzedGame[] = [
  {
    id: 'gess',
    games: gamesOf(
      'gess',
      GESS_RULES.flatMap((rules) => ['none', 'simple', 'superko'].map((ko) => `${rules},ko=${ko}`)),
    ),
    positions: gessText,
    alphabet: ['b', 'w', '/', ' ', '18', '17', '1', '2', '18/18/18/', 'bbb/b1b/bbb', ' b 0', ' w 7'],
  },
  {
    id: 'quess',
    games: gamesOf('quess', ['standard', 'standard,clock=180', 'standard,clock=1']),
    positions: fc.oneof(
      quessText,
      fc.tuple(quessText, clocks).map((parts) => parts.join('')),
    ),
    alphabet: ['T', 'C', 'S', 't', 'c', 's', '6', '1', '/', ' ', '6/6/', ' l 0', ' d 1', ' 180 180', ' 0.5'],
  },
  {
    id: 'connect-four',
    games: gamesOf('connect-four', ['standard']),
    positions: reached(connectFour),
    alphabet: ['r', 'y', '.', '/', '......./', 'ry', '.......', ' '],
  },
];

/** Lists of mostly legal moves of the game with this id. */
export function moveLists(id: string): fc.Arbitrary<string> {
  const game = createGame(id);
  if (id === 'gess') {
    const published = parseMoves(game, PUBLISHED_GAME).map((action) => game.formatAction(action));
    return fc.nat(published.length).map((length) => published.slice(0, length).join(' '));
  }
  return picks.map((numbers) => {
    const state = playPicks(game, numbers);
    return Array.from({ length: game.historyLength(state) }, (_, index) =>
      game.formatAction(game.historyAction(state, index)),
    ).join(' ');
  });
}
