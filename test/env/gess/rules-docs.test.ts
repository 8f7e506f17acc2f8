import { describe, expect, test } from 'vitest';
import { isLong } from '../../long-tests.js';
import { createGess } from '../../../env/gess/gess.js';
import { parseRules } from '../../../env/gess/gess-rules.js';
import { countPositions } from '../../../env/perft.js';
import { nameOutcome, positionAfter } from '../../../env/replay/replay.js';
import { createRng } from '../../../env/random.js';
import { listActions } from '../../../env/game.js';
import { stonesOf } from './gess-boards.js';
import {
  readReference,
  referenceMoves,
  referenceOutcome,
  type ReferencePosition,
  referenceRings,
  writeReference,
} from './gess-reference.js';
import { ringsAndStones } from './gess-positions.js';
import { readPerftCases } from '../perft-fixture.js';
import {
  type Diagram,
  readCountRows,
  readExamples,
  readRulesText,
  type Statement,
} from './rules-diagrams.js';

const text = readRulesText();
const examples = readExamples(text);
const rows = readCountRows(text);

/**
 * Larger counts: `PERFT_NODES=1e9 npx vitest run …`. With LONG_TESTS=1, depth 3 of those that can be counted
 * in bulk, too.
 */
const MAX_NODES = Number(process.env['PERFT_NODES'] ?? 1e6);

/** All facts that a statement can be about, in both engines. */
interface Facts {
  readonly position: string;
  readonly moves: readonly string[];
  readonly outcome: string | null;
  readonly rings: Readonly<Record<string, readonly string[]>>;
}

function factsOfGame(rules: string, position: string, moves: string): Facts {
  const game = createGess({ rules });
  const state = positionAfter(game, { position, moves });
  return {
    position: game.formatPosition(state),
    moves: Array.from(listActions(game, state), (action) => game.formatAction(action)).sort(),
    outcome: nameOutcome(game, state),
    ...(game.describe!(state) as Pick<Facts, 'rings'>),
  };
}

function referenceAfter(rules: string, start: string, moves: string): ReferencePosition {
  let position = readReference(start);
  for (const text of moves.split(' ').filter((move) => move !== '')) {
    const { legal } = referenceMoves(position, parseRules(rules));
    position = legal.find((move) => move.text === text)!.after;
  }
  return position;
}

function factsOfReference(rules: string, start: string, moves: string): Facts {
  const position = referenceAfter(rules, start, moves);
  const outcome = referenceOutcome(position, parseRules(rules));
  return {
    position: writeReference(position),
    moves: referenceMoves(position, parseRules(rules))
      .legal.map(({ text }) => text)
      .sort(),
    outcome: outcome === null ? null : outcome === 1 ? 'black' : 'white',
    rings: { black: referenceRings(position, 'b'), white: referenceRings(position, 'w') },
  };
}

function check({ word, subject, values }: Statement, { moves, outcome, rings }: Facts): void {
  switch (word) {
    case 'ends':
      expect(moves.filter((move) => move.startsWith(`${subject}-`))).toEqual(
        values.map((end) => `${subject}-${end}`).sort(),
      );
      break;
    case 'legal':
      expect(moves).toEqual(expect.arrayContaining([...values]));
      break;
    case 'illegal':
      expect(values.filter((move) => moves.includes(move))).toEqual([]);
      break;
    case 'outcome':
      expect(outcome ?? 'none').toBe(values.join());
      break;
    case 'rings':
      expect(rings[subject]).toEqual(values);
  }
}

/** The content of a diagram's squares by the position's text, without marks. */
function drawnAs(position: string, diagram: Diagram): Map<string, string> {
  const stones = new Map(
    stonesOf(position).map(({ color, square }) => [
      `${'abcdefghijklmnopqrst'.charAt(square % 20)}${Math.floor(square / 20) + 1}`,
      color === 'b' ? 'x' : 'o',
    ]),
  );
  const empty = (name: string): string => (/^[b-s]([2-9]|1\d)$/.test(name) ? '.' : '-');
  return new Map([...diagram.keys()].map((name) => [name, stones.get(name) ?? empty(name)]));
}

describe.each(examples)('diagram of $name', ({ position, before, after, statements, moves }) => {
  test('shows the position', () => {
    const ends = new Set(statements.filter(({ word }) => word === 'ends').flatMap(({ values }) => values));
    const marked = drawnAs(position, before);
    for (const [name, mark] of marked) {
      if (ends.has(name) && (mark === '.' || mark === '-')) marked.set(name, '+');
    }
    expect(before).toEqual(marked);
    const end = referenceAfter(statements.at(-1)?.rules[0] ?? 'eureka', position, moves);
    expect(after).toEqual(drawnAs(writeReference(end), after));
  });

  test.each(
    statements.flatMap((statement) => statement.rules.map((rules) => ({ ...statement, rules: [rules] }))),
  )('$rules: $line', (statement) => {
    const rules = statement.rules[0]!;
    const facts = factsOfGame(rules, position, statement.moves);
    expect(facts).toEqual(factsOfReference(rules, position, statement.moves));
    check(statement, facts);
  });
});

test('there is a diagram for every kind of statement', () => {
  expect(examples.length).toBeGreaterThan(15);
  const words = examples.flatMap(({ statements }) => statements.map(({ word }) => word));
  expect(new Set(words).size).toBe(5);
});

describe.each(rows)('the table of counts by $rules', ({ rules, counts }) => {
  const game = createGess({ rules });
  // Without a rule that checks the board after every move, the last ply is counted in bulk.
  const isQuick = isLong && !/osu|suicide=illegal|ko=superko/.test(rules);
  test.each(
    counts
      .map((nodes, i) => ({ depth: i + 1, nodes }))
      .filter(({ nodes, depth }) => nodes <= MAX_NODES || (isQuick && depth === 3)),
  )(
    'is right at depth $depth',
    ({ depth, nodes }) => {
      expect(countPositions(game, game.initialState(), depth)).toBe(nodes);
    },
    600_000,
  );
});

test('the table of counts and the fixtures agree', () => {
  expect(rows).toHaveLength(17);
  const starts = readPerftCases('gess.perft').filter(({ id }) => id.startsWith('start,'));
  for (const { rules, counts } of starts) {
    const row = rows.find((other) => other.rules === rules);
    expect([rules, counts.map(({ nodes }) => nodes)]).toEqual([rules, row?.counts]);
  }
  expect(starts.length).toBeGreaterThanOrEqual(8);
});

describe('claims of the rules about settings', () => {
  /** Whether two sets of rules allow the same moves in each of 300 positions. */
  function agree(one: string, other: string): boolean {
    const rng = createRng(2, 'rules', one);
    const [first, second] = [createGess({ rules: one }), createGess({ rules: other })];
    return Array.from({ length: 300 }, () => ringsAndStones(rng.integer(40), rng)).every(
      (position) =>
        listActions(first, first.parsePosition(position)).join() ===
        listActions(second, second.parsePosition(position)).join(),
    );
  }

  test('enter and stone allow the same moves', () => {
    expect(agree('wikipedia', 'gach')).toBe(true);
    expect(agree('sgf,edge=enter', 'sgf,edge=stone')).toBe(true);
    expect(agree('eureka', 'gach')).toBe(false);
  });

  test('endOffBoard matters only if nothing stops moves at the edge', () => {
    for (const rules of ['wikipedia', 'gach', 'wikipedia,edge=strict', 'osu,edge=enter']) {
      expect(agree(`${rules},endOffBoard=yes`, `${rules},endOffBoard=no`)).toBe(true);
    }
    expect(agree('eureka,endOffBoard=yes', 'eureka,endOffBoard=no')).toBe(false);
  });

  test('simple ko forbids nothing', () => {
    expect(agree('eureka,ko=simple', 'eureka')).toBe(true);
  });
});
