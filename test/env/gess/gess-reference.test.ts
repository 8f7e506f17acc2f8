import { afterAll, describe, expect, test } from 'vitest';
import { createGess } from '../../../env/gess/gess.js';
import { parseRules } from '../../../env/gess/gess-rules.js';
import { createRng, type Rng } from '../../../env/random.js';
import { type Chooser, Comparison, lasting, shuffling, type Tally } from './gess-differential.js';
import { ringsAndStones } from './gess-positions.js';
import { readReference, referenceMoves } from './gess-reference.js';
import { readExamples, readRulesText } from './rules-diagrams.js';

/**
 * Number of positions to compare; more by `POSITIONS=20000 npx vitest run test/env/gess/gess-reference.test.ts`.
 */
const POSITIONS = Number(process.env['POSITIONS'] ?? 250);

/** All combinations of the settings; the five named rules and `strict` come first and get more positions. */
const NAMED = ['eureka', 'wikipedia', 'wikipedia,edge=strict', 'gach', 'sgf', 'osu'];
const MIXES = ['startOffBoard=yes', 'startOffBoard=no'].flatMap((start) =>
  ['endOffBoard=yes', 'endOffBoard=no'].flatMap((end) =>
    ['free', 'enter', 'stone', 'strict'].flatMap((edge) =>
      ['loss', 'illegal'].map((suicide) => `eureka,${start},${end},edge=${edge},suicide=${suicide}`),
    ),
  ),
);
const SIMPLE = ['eureka,ko=simple', 'osu,ko=simple', 'gach,suicide=illegal,ko=simple'];
const SUPERKO = [...NAMED, 'eureka,suicide=illegal', 'gach,suicide=illegal,endOffBoard=no'].map(
  (rules) => `${rules},ko=superko`,
);

const shares = [
  ...MIXES.map((rules) => ({ rules, share: 1 })),
  ...NAMED.map((rules) => ({ rules, share: 3 })),
  ...SIMPLE.map((rules) => ({ rules, share: 1 })),
  ...SUPERKO.map((rules) => ({ rules, share: 2 })),
];
const allShares = shares.reduce((sum, { share }) => sum + share, 0);

const tally: Tally = { positions: 0, moves: 0, barred: 0, stuck: 0, longestGame: 0 };

interface Kind {
  readonly start: (rng: Rng) => string;
  readonly plies: number;
  readonly chooser: Chooser;
}

/** Half of the positions have few stones. */
const KINDS: readonly Kind[] = [
  { start: (rng) => ringsAndStones(rng.integer(10), rng), plies: 30, chooser: lasting },
  { start: (rng) => ringsAndStones(rng.integer(3), rng), plies: 15, chooser: lasting },
  { start: (rng) => ringsAndStones(15 + rng.integer(40), rng), plies: 15, chooser: lasting },
  { start: (rng) => ringsAndStones(rng.integer(70), rng), plies: 1, chooser: lasting },
];
/** For recurring boards: two rings and hardly a stone, moved to and fro. */
const SHUFFLES: Kind = {
  start: (rng) => ringsAndStones(rng.integer(3), rng),
  plies: 40,
  chooser: shuffling,
};

const start = createGess().formatPosition(createGess().initialState());

describe('the fast engine and the plain one agree', () => {
  test.each(shares)(
    'by $rules',
    ({ rules, share }) => {
      const rng = createRng(1, 'reference', rules);
      const comparison = new Comparison(rules, tally);
      const count = Math.ceil((POSITIONS * share) / allShares);
      const enough = tally.positions + count;
      const repeats = rules.includes('ko=');
      // First a long game, then short ones of every kind.
      comparison.compareGame(start, Math.floor(count / (repeats ? 6 : 2)), lasting, rng);
      for (let game = 0; tally.positions < enough; game++) {
        const {
          start: draw,
          plies,
          chooser,
        } = repeats && game % 4 > 0 ? SHUFFLES : KINDS[game % KINDS.length]!;
        comparison.compareGame(draw(rng), Math.min(plies, enough - tally.positions), chooser, rng);
      }
    },
    600_000,
  );

  test('if superko leaves no move', () => {
    const { position, moves } = readExamples(readRulesText()).find(({ name }) => name === '4.7 #1')!;
    const script = moves.trim().split(' ');
    for (const rules of ['eureka,suicide=illegal,ko=superko', 'osu,ko=superko']) {
      const { stuck } = tally;
      const follow: Chooser = (choice) =>
        choice.moves.find(({ text }) => text === script[choice.position.ply])!;
      new Comparison(rules, tally).compareGame(position, script.length, follow, createRng(1));
      expect(tally.stuck).toBe(stuck + 1);
    }
  });

  afterAll(() => {
    console.log(`compared: ${JSON.stringify(tally)}`);
    expect(tally.barred).toBeGreaterThan(POSITIONS / 20);
  });
});

test('the plain engine’s simple ko forbids the board of two plies ago', () => {
  const settings = parseRules('eureka,ko=simple');
  const position = readReference(start);
  const [move] = referenceMoves(position, settings).legal;
  // No game gets there: the history claims that the board before the opponent's last move is the one that a
  // move makes.
  const { legal, barred } = referenceMoves({ ...position, before: move!.after }, settings);
  expect(barred.map(({ text }) => text)).toEqual([move!.text]);
  expect(legal).toHaveLength(477);
  // A ply earlier, only superko covers it, no longer simple ko.
  const earlier = { ...position, before: { ...position, before: move!.after } };
  expect(referenceMoves(earlier, settings).barred).toEqual([]);
  expect(referenceMoves(earlier, parseRules('eureka,ko=superko')).barred).toHaveLength(1);
});
