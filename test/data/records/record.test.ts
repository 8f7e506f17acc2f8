import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CodedError } from '../../../env/errors.js';
import { DataError } from '../../../data/data-error.js';
import { sealJson } from '../../../data/files/sealed-json.js';
import type { GameRecord, RecordMove } from '../../../data/records/record.js';
import { readJsonRecord, writeJsonRecord } from '../../../data/records/record-json.js';
import { readSgf } from '../../../data/records/sgf-reading.js';
import { writeSgf } from '../../../data/records/sgf-writing.js';
import { checkVariations } from '../../../data/records/variations.js';
import { createGame } from '../../../env/games.js';
import { records } from '../record-arbitrary.js';

/** A root of Gess with these properties and what follows it. */
function sgfOf(properties: string, rest = ''): string {
  return `(;FF[4]GM[20]SZ[20]${properties}${rest})`;
}

function error(read: () => unknown): DataError {
  try {
    read();
  } catch (thrown) {
    if (thrown instanceof DataError) return thrown;
    throw thrown;
  }
  throw new Error('expected an error');
}

const START = readSgf(sgfOf('', ';B[fo:fn]'));

describe('every record', () => {
  test('round-trips through SGF', () => {
    fc.assert(
      fc.property(records, (record) => {
        expect(readSgf(writeSgf(record))).toEqual(record);
      }),
    );
  });

  test('round-trips through JSON', () => {
    fc.assert(
      fc.property(records, (record) => {
        expect(readJsonRecord(writeJsonRecord(record))).toEqual(record);
      }),
    );
  });

  test('is written identically after it is read', () => {
    fc.assert(
      fc.property(records, (record) => {
        const sgf = writeSgf(record);
        expect(writeSgf(readSgf(sgf))).toBe(sgf);
        const json = writeJsonRecord(record);
        expect(writeJsonRecord(readJsonRecord(json))).toBe(json);
      }),
    );
  });
});

describe('SGF', () => {
  test('keeps variations, comments and unknown properties', () => {
    const record = readSgf(
      sgfOf(
        'RU[Eureka]PB[A\\]]PW[B:]EV[E]DT[1994]RE[W+R]C[one\\\ntwo\nthree]XY[1][2]',
        ';B[fo:fn]N[x](;W[fg:fh]C[main];B[ro:rn])(;W[cf:cg]KO[](;B[co:cn])(;B[lo:ln]))',
      ),
    );
    expect(record).toEqual({
      game: 'gess',
      rules: 'eureka',
      players: ['A]', 'B:'],
      event: 'E',
      date: '1994',
      result: 'white+R',
      comment: 'onetwo\nthree',
      properties: { XY: ['1', '2'] },
      moves: [
        { move: 'f6-f7', properties: { N: ['x'] } },
        {
          move: 'f14-f13',
          comment: 'main',
          variations: [
            [
              { move: 'c15-c14', properties: { KO: [''] } },
              { move: 'c6-c7', variations: [[{ move: 'l6-l7' }]] },
            ],
          ],
        },
        { move: 'r6-r7' },
      ],
    });
  });

  test('files without rules have those of SGF’s description of Gess', () => {
    expect(START.rules).toBe('sgf');
    expect(readSgf(sgfOf('RU[gach]')).rules).toBe('gach');
    expect(readSgf(sgfOf('RU[who knows]'), { rules: 'osu' }).rules).toBe('osu');
  });

  test('the colour of the first move is the first to move', () => {
    expect(readSgf(sgfOf('', ';W[fg:fh];B[fo:fn]')).position).toMatch(/ w 0$/);
    expect(readSgf(sgfOf('PL[white]')).position).toMatch(/ w 0$/);
    expect(START.position).toBeUndefined();
  });

  test('stones are added to the initial position with AE, otherwise to an empty board', () => {
    const board = (properties: string): string => readSgf(sgfOf(properties)).position!;
    expect(board('AB[bb][ss]')).toBe(`b17/${'18/'.repeat(16)}17b b 0`);
    expect(board('AW[bb:cc]')).toBe(`ww16/ww16/${'18/'.repeat(15)}18 b 0`);
    expect(board('AE[cb]')).toMatch(/^3w1wwwwwwww1w1w1\//);
    expect(board('AB[bb]AE[cb]PL[W]')).toMatch(/^b2w1wwwwwwww1w1w1\/.* w 0$/);
  });

  test('a move in the root is the first move', () => {
    expect(readSgf(sgfOf('C[hello]B[fo:fn]', ';W[fg:fh]'))).toMatchObject({
      comment: 'hello',
      moves: [{ move: 'f6-f7' }, { move: 'f14-f13' }],
    });
  });

  test('text before the game is ignored', () => {
    expect(readSgf(`From: me (a friend)\n\n${sgfOf('', ';B[fo:fn]')}\n`)).toEqual(START);
    expect(error(() => readSgf(`one\n\n${sgfOf('', ';B[fo')}`)).message).toMatch(
      /^line 3, column \d+: .*not closed/,
    );
  });

  test('one of several games is selected by its number', () => {
    const two = `${sgfOf('C[1]')}\n${sgfOf('C[2]')}`;
    expect(error(() => readSgf(two))).toMatchObject({ code: 'record-count', message: /has 2/ });
    expect(readSgf(two, { number: 2 }).comment).toBe('2');
    expect(error(() => readSgf(two, { number: 3 })).code).toBe('record-count');
  });

  test.each([
    ['', 'record-syntax', 'expected a game'],
    ['(;', 'record-syntax', 'end of the file'],
    ['(;GM[20]', 'record-syntax', 'end of the file'],
    ['(;GM[20]\nC[🎲\ud83c])', 'record-syntax', 'line 2, column 5: expected whole characters'],
    ['(;GM[20];B[fo:fn]))', 'record-syntax', "line 1, column 19: expected '(', found ')'"],
    ['(;GM[20]\n;B)', 'record-syntax', "line 2, column 3: expected a value in brackets, found ')'"],
    ['(;GM[20];[x])', 'record-syntax', 'found a value'],
    [
      '(;GM[20]C[x)',
      'record-syntax',
      'line 1, column 10: expected a value in brackets, found a value that is not closed',
    ],
    ['(;GM[20](;B[fo:fn]) ;W[x])', 'record-syntax', "column 21: expected '(' or ')', found ';'"],
    ['(;GM[20]())', 'record-syntax', "expected ';'"],
    ['(;GM[20]b[x])', 'record-syntax', "found 'b'"],
    ['(;GM[20]!)', 'record-syntax', "found '!'"],
    ['(;GM[1])', 'record-game', 'found GM 1'],
    ['(;C[x])', 'record-game', 'found GM 1 (Go'],
    ['(;GM[20]SZ[19])', 'record-game', 'SZ[19]'],
    ['(;GM[20]RU[Japanese])', 'record-content', 'line 1, column 2: expected rules named'],
    ['(;GM[20]\n;B[fo:fz])', 'record-content', 'line 2, column 1: expected a move'],
    ['(;GM[20];B[])', 'record-content', 'expected a move like'],
    ['(;GM[20];B[fo:fn][fo:fn])', 'record-content', 'expected one move of B'],
    ['(;GM[20];B[fo:fn]W[fg:fh])', 'record-content', 'expected one move of B'],
    [
      '(;GM[20];B[fo:fn];B[fo:fn])',
      'record-content',
      'line 1, column 18: expected one move of W, found B[fo:fn]',
    ],
    ['(;GM[20]PL[B];W[fo:fn])', 'record-content', 'expected one move of B'],
    ['(;GM[20];B[fo:fn]AB[bb])', 'record-content', 'in the first node only, found AB'],
    ['(;GM[20]AB[aa])', 'record-content', 'expected stones on bb to ss'],
    ['(;GM[20]AB[b])', 'record-content', 'expected a point'],
    ['(;GM[20]AB[bb:cc:dd])', 'record-content', 'a rectangle'],
    ['(;GM[20]PL[X])', 'record-content', 'PL[B] or PL[W]'],
    ['(;GM[20]PLY[x])', 'record-content', 'PLY'],
    ['(;GM[20]PLY[99999])', 'record-content', 'expected a ply'],
    ['(;GM[20];B[fo:fn]SECONDS[-1])', 'record-content', 'SECONDS'],
  ])('%j is refused', (text, code, message) => {
    expect(error(() => readSgf(text))).toMatchObject({
      code,
      message: expect.stringContaining(message) as string,
    });
  });

  test('deep parentheses are rejected, long lines are not', () => {
    const deep = (depth: number): string => sgfOf('', '(;N[x]'.repeat(depth) + ')'.repeat(depth));
    expect(readSgf(deep(999)).moves).toHaveLength(999);
    expect(error(() => readSgf(deep(1000)))).toMatchObject({ code: 'record-too-deep' });
    expect(error(() => readSgf(deep(100_000)))).toMatchObject({ code: 'record-too-deep' });
    const nested = (depth: number): string => sgfOf('', '(;N[x])(;N[y]'.repeat(depth) + ')'.repeat(depth));
    expect(writeSgf(readSgf(nested(100)))).toContain('N[y]');
    expect(error(() => readSgf(nested(101)))).toMatchObject({ code: 'record-too-deep' });
    const moves = Array.from({ length: 20_000 }, (_, i): RecordMove => ({
      move: i % 2 === 0 ? 'c6-c7' : 'c15-c14',
    }));
    const long: GameRecord = { game: 'gess', rules: 'eureka', moves };
    expect(readSgf(writeSgf(long))).toEqual(long);
    expect(readJsonRecord(writeJsonRecord(long))).toEqual(long);
    const variations = [[{ comment: 'x' }]];
    const branching = { ...long, moves: moves.slice(0, 1001).map((move) => ({ ...move, variations })) };
    expect(error(() => writeSgf(branching))).toMatchObject({ code: 'record-too-deep' });
    const fewer = { ...branching, moves: branching.moves.slice(0, 998) };
    expect(readSgf(writeSgf(fewer))).toEqual(fewer);
  });

  test.each<[string, Partial<GameRecord>, string]>([
    ['seconds that are no number', { moves: [{ move: 'f6-f7', seconds: NaN }] }, 'moves[0].seconds'],
    ['seconds below 0', { moves: [{ move: 'f6-f7', seconds: -1 }] }, 'moves[0].seconds'],
    ['a property in words', { moves: [{ properties: { 'bad name': ['x'] } }] }, 'capitals'],
    ['a property of the record', { properties: { RU: ['x'] } }, 'field of the record'],
    ['half a character', { comment: '\ud800' }, 'surrogate'],
    ['unknown rules', { rules: 'no]pe' }, 'rules: expected rules named'],
    ['an unreadable move', { moves: [{ move: 'f6' }] }, 'moves[0]: expected a move'],
  ])('a record with %s cannot be written', (_name, changes, message) => {
    const record = { game: 'gess', rules: 'eureka', moves: [], ...changes };
    const expected = { code: 'record-content', message: expect.stringContaining(message) as string };
    expect(error(() => writeSgf(record))).toMatchObject(expected);
  });

  test('a record of another game cannot be written', () => {
    const record: GameRecord = { game: 'connect-four', rules: 'standard', moves: [{ move: '3' }] };
    expect(error(() => writeSgf(record))).toMatchObject({ code: 'record-game' });
  });
});

describe('JSON', () => {
  const base = { format: 'gess-zero-record', version: 1, game: 'gess', moves: [] as unknown[] };

  test('moves are read in any notation of the game', () => {
    const json = { ...base, moves: ['F6:F7', { move: 'f14xf13', seconds: 2.5 }, 'ro:rn'] };
    expect(readJsonRecord(JSON.stringify(json))).toEqual({
      game: 'gess',
      rules: 'eureka',
      moves: [{ move: 'f6-f7' }, { move: 'f14-f13', seconds: 2.5 }, { move: 'r6-r7' }],
    });
  });

  test('negative zero seconds become zero', () => {
    const moves = '[{"move": "f6-f7", "seconds": -0}]';
    const record = readJsonRecord(JSON.stringify({ ...base, moves: null }).replace('null', moves));
    expect(record.moves).toEqual([{ move: 'f6-f7', seconds: 0 }]);
    expect(readSgf(sgfOf('RU[eureka]', ';B[fo:fn]SECONDS[-0]'))).toEqual(record);
  });

  test('a move without other fields is a string', () => {
    expect(writeJsonRecord(START)).toContain('"moves": [\n    "f6-f7"\n  ]');
  });

  test('stores any game', () => {
    const record: GameRecord = {
      game: 'connect-four',
      rules: 'standard',
      result: 'red',
      moves: [{ move: '3' }],
    };
    expect(readJsonRecord(writeJsonRecord(record))).toEqual(record);
  });

  test('a seal is checked', () => {
    const record = { ...base, rules: 'eureka', moves: ['f6-f7'] };
    const sealed = sealJson(record, 'file');
    expect(readJsonRecord(sealed)).toEqual(readJsonRecord(JSON.stringify(record)));
    for (const altered of [sealed.replace('f6-f7', 'f6-f8'), JSON.stringify({ ...record, sha256: 'zzz' })]) {
      const message = expect.stringContaining('its own checksum') as string;
      expect(error(() => readJsonRecord(altered))).toMatchObject({ code: 'record-content', message });
    }
  });

  test('line ends become line feeds', () => {
    expect(readJsonRecord(JSON.stringify({ ...base, comment: 'a\r\nb\rc' })).comment).toBe('a\nb\nc');
  });

  const nest = (depth: number): unknown =>
    depth === 0 ? ['f6-f7'] : ['f6-f7', { move: 'f14-f13', variations: [nest(depth - 1)] }];

  test.each([
    ['{', 'record-syntax', 'expected JSON'],
    ['[]', 'record-content', 'expected an object'],
    [{ ...base, version: 2, more: 1 }, 'record-too-new', 'found 2'],
    [{ ...base, format: 'other' }, 'record-content', 'format'],
    [{ ...base, more: 1 }, 'record-content', 'more'],
    [{ ...base, game: 'go' }, 'record-content', 'expected a game of'],
    [{ ...base, rules: 'x' }, 'record-content', 'rules: expected rules named'],
    [{ ...base, moves: ['f6-f7', 'f6'] }, 'record-content', 'moves[1]: expected a move'],
    [
      { ...base, moves: ['f6-f7', { move: 'f14-f13', variations: [['x']] }] },
      'record-content',
      'moves[1].variations[0][0]: expected',
    ],
    [
      { ...base, moves: [{ move: 'f6-f7', variations: [[{ move: 'c6-c7', variations: [['l6-l7']] }]] }] },
      'record-content',
      'as siblings',
    ],
    [{ ...base, moves: [{ move: 'f6-f7', seconds: -1 }] }, 'record-content', 'moves[0].seconds'],
    [
      { ...base, moves: [{ move: 'f6-f7', properties: { B: ['x'] } }] },
      'record-content',
      'field of the record',
    ],
    [{ ...base, properties: { c: ['x'] } }, 'record-content', 'capitals'],
    [
      JSON.stringify({ ...base, properties: { KO: [''], proto: ['x'] } }).replace('proto', '__proto__'),
      'record-content',
      '__proto__',
    ],
    [{ ...base, comment: '' }, 'record-content', 'not empty'],
    [{ ...base, comment: '\ud800' }, 'record-content', 'surrogate'],
    [{ ...base, position: '18' }, 'record-content', 'position: expected 18 ranks'],
  ])('%j is refused', (json, code, message) => {
    const text = typeof json === 'string' ? json : JSON.stringify(json);
    expect(error(() => readJsonRecord(text))).toMatchObject({
      code,
      message: expect.stringContaining(message) as string,
    });
  });

  test('nesting is limited before the content is validated', () => {
    expect(readJsonRecord(JSON.stringify({ ...base, moves: nest(100) })).moves).toHaveLength(2);
    const deeper = JSON.stringify({ ...base, moves: nest(101) });
    expect(error(() => readJsonRecord(deeper))).toMatchObject({ code: 'record-too-deep' });
    const deep = `{"moves": ${'['.repeat(200_000)}${']'.repeat(200_000)}}`;
    expect(error(() => readJsonRecord(deep))).toMatchObject({ code: 'record-too-deep' });
  });
});

test.each([
  ['the writer', (record: GameRecord) => writeJsonRecord(record)],
  ['the check', (record: GameRecord) => checkVariations(createGame('gess'), record, false)],
])('variations that are too deep are refused by %s', (_name, use) => {
  const nested = (depth: number): GameRecord => {
    let moves: RecordMove[] = [{ move: 'f6-f7' }];
    for (let i = 0; i < depth; i++) moves = [{ move: 'f6-f7', variations: [moves] }];
    return { game: 'gess', rules: 'eureka', moves };
  };
  use(nested(100));
  for (const depth of [101, 20_000])
    expect(error(() => use(nested(depth)))).toMatchObject({ code: 'record-too-deep' });
});

describe('broken files', () => {
  const edits = fc.array(
    fc.tuple(
      fc.nat(2000),
      fc.nat(4),
      fc.oneof(
        fc.constantFrom('(', ')', ';', '[', ']', '\\', 'B', 'AB', '"', '{', ',', 'null'),
        fc.string({ unit: 'binary' }),
      ),
    ),
    { maxLength: 5 },
  );

  test.each([
    ['SGF', writeSgf, readSgf],
    ['JSON', writeJsonRecord, readJsonRecord],
  ] as const)('%s that is accepted round-trips; otherwise the error has a code', (_name, write, read) => {
    fc.assert(
      fc.property(records, edits, (record, list) => {
        const text = list.reduce((before, [at, length, added]) => {
          const place = at % (before.length + 1);
          return before.slice(0, place) + added + before.slice(place + length);
        }, write(record));
        let found: GameRecord;
        try {
          found = read(text);
        } catch (thrown) {
          if (!(thrown instanceof CodedError)) throw thrown;
          return;
        }
        expect(read(write(found))).toEqual(found);
      }),
      { numRuns: 400 },
    );
  });
});
