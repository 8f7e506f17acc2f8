import { describe, expect, test } from 'vitest';
import { listActions } from '../../../env/game.js';
import { createGess } from '../../../env/gess/gess.js';
import { formatRules, parseRules } from '../../../env/gess/gess-rules.js';
import { boardText, ringAt, squareOf, type Stone, stonesOf } from './gess-boards.js';

const gess = createGess();

/** Black to move, with the given black stones and a distant ring of each side. */
function positionWith(...names: string[]): string {
  const stones = names.map((name): Stone => ({ color: 'b', square: squareOf(name) }));
  return `${boardText([...stones, ...ringAt('b', squareOf('r18')), ...ringAt('w', squareOf('m18'))])} b 10`;
}

describe('rules for edges', () => {
  /** The ends of one piece's moves in one direction. */
  function ends(rules: string, position: string, start: string, direction: string): string[] {
    const game = createGess({ rules });
    const moves = [...listActions(game, game.parsePosition(position))].map((action) =>
      game.formatAction(action),
    );
    const step = { N: [0, 1], NE: [1, 1], E: [1, 0] }[direction]!;
    const [file, rank] = [start.charCodeAt(0), Number(start.slice(1))];
    return moves
      .filter((move) => move.startsWith(`${start}-`))
      .map((move) => move.slice(start.length + 1))
      .filter((end) => {
        const [files, ranks] = [end.charCodeAt(0) - file, Number(end.slice(1)) - rank];
        const distance = Math.max(Math.abs(files), Math.abs(ranks));
        return files === step[0]! * distance && ranks === step[1]! * distance;
      });
  }

  test.each([
    ['eureka', ['b2', 'c3', 'd4']],
    ['wikipedia', ['b2', 'c3', 'd4']],
    ['gach', ['b2', 'c3', 'd4']],
    ['wikipedia,edge=strict', ['b2']],
    ['sgf', []],
  ])('under %s a lone stone in the corner moves from off the board to %j', (rules, expected) => {
    expect(ends(rules, positionWith('b2'), 'a1', 'NE')).toEqual(expected);
  });

  test.each([
    ['eureka', 10],
    ['wikipedia', 9],
    ['gach', 9],
    ['wikipedia,edge=strict', 1],
  ])('under %s a piece moves %d squares along the edge', (rules, squares) => {
    expect(ends(rules, positionWith('b10', 'b11'), 'b10', 'N')).toHaveLength(squares);
  });

  test('the longest move crosses the whole board', () => {
    const across = ends('eureka', positionWith('b10', 'c10'), 'b10', 'E');
    expect(across).toHaveLength(18);
    expect(across.at(-1)).toBe('t10');
    expect(ends('wikipedia', positionWith('b10', 'c10'), 'b10', 'E').at(-1)).toBe('s10');
  });
});

describe('the end', () => {
  const both = `${boardText([...ringAt('b', squareOf('e5')), ...ringAt('w', squareOf('h5'))])} b 8`;

  test('a player who breaks their own last ring loses', () => {
    const state = gess.parsePosition(both);
    gess.apply(state, gess.parseAction('d5-c5'));
    expect(gess.outcome(state)).toBe(-1);
  });

  test('a player who breaks both last rings loses', () => {
    const stones = [...ringAt('b', squareOf('e5')), ...ringAt('w', squareOf('e11'))];
    const state = gess.parsePosition(`${boardText(stones)} b 8`);
    // The left side of Black's ring moves up until it meets White's (rules 3.2).
    const move = gess.parseAction('d5-d9');
    expect(gess.isLegal(state, move)).toBe(true);
    gess.apply(state, move);
    expect(gess.describe!(state)).toEqual({ rings: { black: [], white: [] } });
    expect(gess.outcome(state)).toBe(-1);
  });

  test('a player who breaks the opponent’s last ring wins', () => {
    const stones = [
      ...ringAt('b', squareOf('e5')),
      ...ringAt('w', squareOf('i5')),
      { color: 'b' as const, square: squareOf('i9') },
      { color: 'b' as const, square: squareOf('i8') },
    ];
    const state = gess.parsePosition(`${boardText(stones)} b 8`);
    gess.apply(state, gess.parseAction('i9-i7'));
    expect(gess.outcome(state)).toBe(1);
    expect(listActions(gess, state)).toHaveLength(0);
  });

  test('remains after undoing a move that was forced after it', () => {
    const state = gess.parsePosition(both);
    gess.apply(state, gess.parseAction('d5-c5'));
    const action = gess.parseAction('h5-h6');
    expect([gess.isLegal(state, action), gess.canForce!(state, action)]).toEqual([false, true]);
    gess.apply(state, action);
    gess.undo(state);
    expect(gess.outcome(state)).toBe(-1);
    gess.undo(state);
    expect(gess.outcome(state)).toBeNull();
  });
});

test('hashes of all positions two plies from the start differ unless the positions are the same', () => {
  const state = gess.initialState();
  const texts = new Map<number, string>();
  let clashes = 0;
  for (const first of listActions(gess, state).filter((_, i) => i % 5 === 0)) {
    gess.apply(state, first);
    for (const second of listActions(gess, state).filter((_, i) => i % 5 === 0)) {
      gess.apply(state, second);
      const text = gess.formatPosition(state);
      if ((texts.get(gess.hash(state)) ?? text) !== text) clashes += 1;
      texts.set(gess.hash(state), text);
      gess.undo(state);
    }
    gess.undo(state);
  }
  expect(clashes).toBe(0);
  expect(new Set(texts.values()).size).toBe(texts.size);
  expect(texts.size).toBeGreaterThan(5000);
});

test('the starting position is that of the rules', () => {
  const stones = stonesOf(gess.formatPosition(gess.initialState()));
  const files = (rank: number): string =>
    stones
      .filter(({ square }) => Math.floor(square / 20) === rank - 1)
      .map(({ square, color }) => (color === 'b' ? '' : 'W') + 'abcdefghijklmnopqrst'.charAt(square % 20))
      .join(' ');
  expect([2, 3, 4, 7].map(files)).toEqual([
    'c e g h i j k l m n p r',
    'b c d f h i j k m o q r s',
    'c e g h i j k l m n p r',
    'c f i l o r',
  ]);
  expect([19, 18, 17, 14].map(files)).toEqual(
    [2, 3, 4, 7].map((rank) => files(rank).replace(/\b(?=[a-t])/g, 'W')),
  );
});

test('texts of rules are formatted in their shortest form', () => {
  const canonical = (text: string): string => formatRules(parseRules(text));
  expect(canonical('default')).toBe('eureka');
  expect(canonical('eureka,edge=enter')).toBe('wikipedia');
  expect(canonical('wikipedia,edge=strict')).toBe('eureka,edge=strict');
  expect(canonical('osu,suicide=loss,ko=none')).toBe('sgf');
  expect(canonical('gach,endOffBoard=no')).toBe('gach,endOffBoard=no');
});

test.each([
  'chess',
  '',
  'eureka,',
  'eureka,edge',
  'eureka,edge=round',
  'eureka,edge=free,edge=free',
  'toString',
])('rules %j are refused', (rules) => {
  expect(() => createGess({ rules })).toThrow(expect.objectContaining({ code: 'rules-unknown' }));
});

const EMPTY_RANKS = Array.from({ length: 17 }, () => '18').join('/');

test.each([
  ['', 'position-size', 'got nothing'],
  [`${EMPTY_RANKS} b 0`, 'position-size', 'got 17'],
  [`17/${EMPTY_RANKS} b 0`, 'position-syntax', 'rank 19, file s: expected 18 squares, found 17'],
  [`1b17/${EMPTY_RANKS} b 0`, 'position-syntax', 'rank 19, file d: expected 18 squares, found more'],
  [
    `9x8/${EMPTY_RANKS} b 0`,
    'position-syntax',
    "rank 19, file k: expected b, w or a number of empty squares, found 'x'",
  ],
  [`018/${EMPTY_RANKS} b 0`, 'position-syntax', 'rank 19, file b: expected one number, from 1'],
  [`${EMPTY_RANKS}/b0b16 b 0`, 'position-syntax', 'rank 2, file c: expected one number, from 1'],
  [`18/${EMPTY_RANKS} x 0`, 'position-turn', "expected b or w to move after the ranks, got 'x'"],
  [`18/${EMPTY_RANKS} b -1`, 'position-turn', "got '-1'"],
  [`18/${EMPTY_RANKS} b 65536`, 'position-turn', "got '65536'"],
  [`18/${EMPTY_RANKS} b 1 1`, 'position-turn', "got '1 1'"],
])('the position %j is refused', (text, code, message) => {
  expect(() => gess.parsePosition(text)).toThrow(
    expect.objectContaining({ code, message: expect.stringContaining(message) as string }),
  );
});

test.each(['', 'f6', 'f6-f6', 'f6-f7-f8', 'u6-u7', 'f0-f1', 'f06-f7', 'f6-g8', 'a1-a20'])(
  'the move %j is refused',
  (text) => {
    expect(() => gess.parseAction(text)).toThrow(expect.objectContaining({ code: 'action-syntax' }));
  },
);

test.each([
  [0, 'position-syntax', (bytes: Uint8Array) => bytes.fill(255, 0, 81)],
  [81, 'position-syntax', (bytes: Uint8Array) => bytes.fill(4, 81, 82)],
  [84, 'position-syntax', (bytes: Uint8Array) => bytes.fill(255, 84, 86)],
  // From a1 eighteen squares to the left, and a move that stays.
  [84, 'position-syntax', (bytes: Uint8Array) => bytes.fill(126, 84, 85)],
])('bytes with an error at %d are refused', (_at, code, spoil) => {
  const bytes = new Uint8Array(gess.packedSize);
  gess.pack(gess.initialState(), bytes, 0);
  expect(() => {
    gess.unpack(spoil(bytes), 0, gess.initialState());
  }).toThrow(expect.objectContaining({ code }));
  expect(() => {
    gess.unpack(bytes.subarray(1), 0, gess.initialState());
  }).toThrow(expect.objectContaining({ code: 'position-size' }));
});
