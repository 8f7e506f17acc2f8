import { describe, expect, test } from 'vitest';
import { parseRules } from '../../../env/gess/gess-rules.js';
import { createRng } from '../../../env/random.js';
import { enduring } from './gess-differential.js';
import {
  readReference,
  referenceMoves,
  referenceOutcome,
  type ReferencePosition,
  referenceRings,
  writeReference,
} from './gess-reference.js';
import { readCountRows, readRulesText } from './rules-diagrams.js';

/**
 * Regenerates test/fixtures/gess.perft and gess-games.jsonl with the plain engine, in a few minutes: `FIXTURES=check
 * npx vitest run test/env/gess/gess-fixtures.test.ts` compares them with the files, and with `-u` writes them. Skipped
 * without FIXTURES.
 */
const IS_WANTED = process.env['FIXTURES'] !== undefined;

const START =
  '1w1w1wwwwwwww1w1w1/www1w1wwww1w1w1www/1w1w1wwwwwwww1w1w1/18/18/1w2w2w2w2w2w1/18/18/18/18/18/18/1b2b2b2b2b2b1/18/18/1b1b1bbbbbbbb1b1b1/bbb1b1bbbb1b1b1bbb/1b1b1bbbbbbbb1b1b1 b 0';

const RULES = [
  'eureka',
  'wikipedia',
  'wikipedia,edge=strict',
  'gach',
  'sgf',
  'osu',
  'eureka,suicide=illegal',
  'eureka,suicide=illegal,ko=superko',
];

interface Case {
  readonly id: string;
  readonly position: string;
  readonly depth: number;
}

/** The positions counted under all of `RULES`. */
const CASES: readonly Case[] = [
  {
    id: 'end of the published game',
    position:
      '1w1w7www4/4w6w1ww3/3w7www4/8www7/9ww2w4/6bbwwbbb5/11b6/10bb6/18/18/18/2w1b13/6bw10/5b2w9/3ww1bw1w6b1/4w5bbb1b1b1/4w5b1bb1bbb/10bbb1b1b1 b 36',
    depth: 2,
  },
  {
    id: 'rings in two corners, stones along the edges',
    position:
      'www10wwb2/w1w10w1w2/www10www2/18/b16w/b16w/b16w/18/18/18/18/b16w/18/18/18/bbb12bbb/b1b12b1b/bbb12bbb b 40',
    depth: 2,
  },
  {
    id: 'rings side by side',
    position: '18/18/18/18/18/18/5bbbwww7/5b1bw1w7/5bbbwww7/18/18/4b8w4/18/18/18/18/18/18 w 61',
    depth: 2,
  },
  {
    id: 'queens and long lines',
    position:
      'www15/w1w15/www15/18/18/5www10/5www10/5www10/18/18/11bbb4/11bbb4/11bbb4/18/18/15bbb/15b1b/15bbb b 50',
    depth: 2,
  },
  {
    id: 'White has no ring left',
    position: '18/18/18/18/18/18/5bbbw1w7/5b1bw1w7/5bbbwww7/18/18/18/18/18/18/18/18/18 w 7',
    depth: 2,
  },
  {
    id: 'neither side has a ring',
    position: '18/18/18/18/18/18/5b1bw1w7/5b1bw1w7/5bbbwww7/18/18/18/18/18/18/18/18/18 b 7',
    depth: 2,
  },
  {
    id: 'only rings, far apart',
    position: '15www/15w1w/15www/18/18/18/18/18/18/18/18/18/18/18/18/bbb15/b1b15/bbb15 b 90',
    depth: 3,
  },
  {
    id: 'single stones in corners and at edges',
    position: 'b8w8/18/2www9bbb1/2w1w9b1b1/2www9bbb1/18/18/w17/18/18/17b/18/18/18/18/18/18/b16b b 120',
    depth: 2,
  },
  {
    id: 'a single stone next to the corner',
    position: '18/18/11www4/11w1w4/11www4/18/18/18/18/18/18/18/18/18/4bbb11/4b1b11/wb2bbb11/1b16 w 121',
    depth: 2,
  },
  {
    id: 'several rings that share stones',
    position:
      '18/1wwwww12/1w1w1w12/1wwwww12/18/18/18/6bbbbb7/6b1b1b7/6bbbbb7/6b1b9/6bbb9/18/18/18/18/18/18 b 70',
    depth: 2,
  },
  {
    id: 'one move from the end for either side',
    position: '18/18/18/5b12/5b12/18/4www6b4/4w1w6b4/4www11/18/9bbb6/4w4b1b6/4w4bbb6/18/18/18/18/18 w 33',
    depth: 2,
  },
  {
    id: 'both rings break at once',
    position: '18/18/18/18/18/18/18/2www13/2w1w13/2www13/18/18/18/2bbb13/2b1b13/2bbb13/18/18 b 8',
    depth: 2,
  },
  {
    id: 'stones all around the border',
    position:
      'wwwwwwwwwbbbbbbbbb/w16b/w1www8bbb1b/w1w1w8b1b1b/w1www8bbb1b/w16b/w16b/w16b/w16b/b16w/b16w/b16w/b16w/b16w/b16w/b16w/b16w/bbbbbbbbbwwwwwwwww b 200',
    depth: 2,
  },
  {
    id: 'a chequered middle full of captures',
    position:
      'www15/w1w15/www15/18/4b1w1b1w1b5/5w1b1w1b6/4b1w1b1w1b5/5w1b1w1b6/4w1b1w1b1w5/5b1w1b1w6/4w1b1w1b1w5/18/18/18/18/15bbb/15b1b/15bbb b 64',
    depth: 2,
  },
  {
    id: 'masses of stones',
    position:
      'wwwwwwwwwwwwwwwwww/wwwwwwwwwwwwwww1ww/wwwwwwwwwwwwwwwwww/18/18/18/wwwwww12/wwwwww12/18/18/12bbbbbb/12bbbbbb/18/18/18/bbbbbbbbbbbbbbbbbb/bb1bbbbbbbbbbbbbbb/bbbbbbbbbbbbbbbbbb w 11',
    depth: 1,
  },
];

function countReference(position: ReferencePosition, rules: string, depth: number): number {
  if (depth === 0) return 1;
  const { legal } = referenceMoves(position, parseRules(rules));
  if (depth === 1) return legal.length;
  return legal.reduce((sum, { after }) => sum + countReference(after, rules, depth - 1), 0);
}

function block(id: string, rules: string, position: string, counts: readonly number[]): string {
  const lines = counts.map((nodes, i) => `perft ${i + 1} ${nodes}`);
  return [`id   ${id}, ${rules}`, 'game gess', `rules ${rules}`, `pos  ${position}`, ...lines, ''].join('\n');
}

/** Counts of the start: depths 1 and 2 computed, depth 3, too slow for the plain engine, from the rules. */
function startBlock(rules: string, counts: readonly number[]): string {
  for (const depth of [1, 2]) {
    expect([rules, countReference(readReference(START), rules, depth)]).toEqual([rules, counts[depth - 1]]);
  }
  return block('start', rules, START, counts);
}

/** A game of `plies` moves that keep rings on the board, then, if possible, a move that ends it. */
function playGame(rules: string, plies: number): ReferencePosition[] {
  const rng = createRng(4, 'golden game', rules);
  const settings = parseRules(rules);
  const positions = [readReference(START)];
  for (let position = positions[0]!; ; positions.push(position)) {
    const { legal: moves } = referenceMoves(position, settings);
    const lasting = moves.filter(({ after }) => referenceOutcome(after, settings) === null);
    if (moves.length === 0 || positions.length > plies + 1) return positions;
    const end = moves.find((move) => !lasting.includes(move));
    const isLast = positions.length === plies + 1;
    position = (isLast && end !== undefined ? end : enduring({ position, moves, lasting }, rng)).after;
  }
}

/** The text of the move that led to `after`. */
function moveTo(after: ReferencePosition, rules: string): string {
  const { legal } = referenceMoves(after.before!, parseRules(rules));
  return legal.find((move) => writeReference(move.after) === writeReference(after))!.text;
}

/** A request and its answer, as of `gess replay --batch`. */
function gameLines(rules: string, plies: number): string {
  const positions = playGame(rules, plies);
  const last = positions.at(-1)!;
  const outcome = referenceOutcome(last, parseRules(rules));
  const answer = {
    legal: true,
    illegalPly: null,
    reason: null,
    outcome: outcome === null ? null : outcome === 1 ? 'black' : 'white',
    legalCounts: positions.map((position) => referenceMoves(position, parseRules(rules)).legal.length),
    rings: { black: referenceRings(last, 'b'), white: referenceRings(last, 'w') },
    position: writeReference(last),
  };
  const moves = positions.slice(1).map((position) => moveTo(position, rules));
  return `${JSON.stringify({ game: 'gess', rules, moves: moves.join(' ') })}\n${JSON.stringify(answer)}\n`;
}

const HEADER = `# Positions that lie some plies below one; a finished game has none below it.
# Start position: docs/reference/rules.md 5.4, from two independent engines, in Python and in C, that share no code with this
# project. The others: test/env/gess/gess-reference.ts, the plain engine that the tests compare the fast one with. Made
# by FIXTURES=check npx vitest run test/env/gess/gess-fixtures.test.ts -u
`;

describe.runIf(IS_WANTED)('fixtures match the plain engine', () => {
  test('counts', async () => {
    const starts = readCountRows(readRulesText()).filter(({ rules }) => !rules.includes('ko='));
    const middles = [60, 150, 300].map((ply) => ({
      id: `ply ${ply} of a game`,
      position: writeReference(playGame('eureka', 301)[ply]!),
      depth: 2,
    }));
    const blocks = RULES.flatMap((rules) =>
      [...CASES, ...middles].map(({ id, position, depth }) => {
        expect(writeReference(readReference(position))).toBe(position);
        const depths = Array.from({ length: depth }, (_, i) => i + 1);
        const counts = depths.map((plies) => countReference(readReference(position), rules, plies));
        return block(id, rules, position, counts);
      }),
    );
    const text = [HEADER, ...starts.map(({ rules, counts }) => startBlock(rules, counts)), ...blocks].join(
      '\n',
    );
    await expect(text).toMatchFileSnapshot('../../fixtures/gess.perft');
  }, 3_600_000);

  test('games', async () => {
    const text = RULES.map((rules) => gameLines(rules, 400)).join('');
    await expect(text).toMatchFileSnapshot('../../fixtures/gess-games.jsonl');
  }, 3_600_000);
});
