import fc from 'fast-check';
import { formatMove } from '../../env/gess/move-notation.js';
import { encodeAction, SIZE } from '../../env/gess/gess-board.js';
import type { GameRecord, RecordLine, RecordMove } from '../../data/records/record.js';
import { withoutUndefined } from '../../data/records/record.js';
import { boardText } from '../env/gess/gess-boards.js';

/** Texts with characters that SGF treats specially, without carriage returns and unpaired surrogates. */
const text = fc
  .oneof(
    fc.string({
      unit: fc.constantFrom('\\', ']', '[', ':', ';', '(', ')', '\n', ' ', 'a', 'é', '環', '🎲', '\ufeff'),
      minLength: 1,
    }),
    fc.string({ unit: 'binary', minLength: 1 }),
  )
  .map((words) => words.replaceAll('\r', ' ').replace(/\p{Cs}/gu, '?'));

const optional = <T>(values: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(values, { nil: undefined, freq: 2 });

/** Properties without a field in a record. */
const properties = fc.dictionary(
  fc.constantFrom('KO', 'BM', 'LB', 'TR', 'N', 'MN', 'GC', 'AP', 'TOSTRING', 'X'),
  fc.array(fc.oneof(text, fc.constant('')), { minLength: 1, maxLength: 3 }),
  { minKeys: 1, maxKeys: 3 },
);

/** Moves of one step, legal or not. */
const moveText = fc
  .tuple(fc.integer({ min: 1, max: SIZE - 2 }), fc.integer({ min: 1, max: SIZE - 2 }), fc.nat(7))
  .map(([row, column, direction]) => formatMove(encodeAction(row, column, direction, 1)));

const plainMove: fc.Arbitrary<RecordMove> = fc
  .record({
    move: fc.option(moveText, { nil: undefined, freq: 5 }),
    comment: optional(text),
    seconds: optional(fc.double({ min: 0, max: 1e9, noNaN: true }).map((seconds) => seconds + 0)),
    properties: optional(properties),
  })
  .map(withoutUndefined);

function lineOf(depth: number): fc.Arbitrary<RecordLine> {
  if (depth === 0) return fc.array(plainMove, { maxLength: 3 });
  const branching = fc
    .tuple(plainMove, fc.array(lineOf(depth - 1).map(withoutFirstVariations), { minLength: 1, maxLength: 2 }))
    .map(([move, lines]): RecordMove => {
      const variations = lines.filter((line) => line.length > 0);
      return variations.length === 0 ? move : { ...move, variations };
    });
  return fc.array(fc.oneof({ arbitrary: plainMove, weight: 3 }, { arbitrary: branching, weight: 1 }), {
    maxLength: 4,
  });
}

function withoutFirstVariations(line: RecordLine): RecordLine {
  return line.map((move, i) => {
    if (i > 0) return move;
    const { variations, ...rest } = move;
    return variations === undefined ? move : rest;
  });
}

const position = fc
  .tuple(
    fc.uniqueArray(fc.tuple(fc.integer({ min: 1, max: 18 }), fc.integer({ min: 1, max: 18 })), {
      selector: ([row, column]) => row * SIZE + column,
      maxLength: 40,
    }),
    fc.nat(),
    fc.constantFrom('b', 'w'),
    fc.nat(65_535),
  )
  .map(([squares, colors, player, ply]) => {
    const stones = squares.map(([row, column], i) => ({
      color: (colors >> (i % 30)) & 1 ? ('w' as const) : ('b' as const),
      square: row * SIZE + column,
    }));
    return `${boardText(stones)} ${player} ${ply}`;
  });

const name = fc.option(text, { nil: null });

/** Records of Gess as readers give them. */
export const records: fc.Arbitrary<GameRecord> = fc
  .record({
    game: fc.constant('gess'),
    rules: fc.constantFrom('eureka', 'sgf', 'gach', 'eureka,edge=strict'),
    players: optional(fc.tuple(name, name).filter(([black, white]) => black !== null || white !== null)),
    event: optional(text),
    date: optional(text),
    result: optional(fc.constantFrom('black', 'white', 'draw', 'black+R', 'white+12', '?', 'Void')),
    comment: optional(text),
    position: optional(position),
    properties: optional(properties),
    moves: lineOf(2),
  })
  .map(withoutUndefined);
