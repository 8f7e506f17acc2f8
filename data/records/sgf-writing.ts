import { SIZE } from '../../env/gess/gess-board.js';
import { formatSgfMove, parseMove } from '../../env/gess/move-notation.js';
import { parsePosition, START_TEXT } from '../../env/gess/position-notation.js';
import { DataError } from '../data-error.js';
import type { GameRecord, RecordLine, RecordMove } from './record.js';
import { expectSoundRecord } from './record-json.js';
import { COLORS, formatResult, GAME_NUMBER, SECONDS_PROPERTY } from './sgf-fields.js';
import { writeSetup } from './sgf-setup.js';
import { formatSgfNode, MAX_PARENTHESES } from './sgf-tree.js';
import { quote } from '../../env/text/quoted-text.js';

type Properties = Record<string, readonly string[]>;

/** A property with one value; none if the value is missing. */
function one(name: string, value: string | null | undefined): Properties {
  return value === undefined || value === null ? {} : { [name]: [value] };
}

function rootProperties(record: GameRecord): Properties {
  const [black, white] = record.players ?? [];
  return {
    FF: ['4'],
    GM: [GAME_NUMBER],
    CA: ['UTF-8'],
    SZ: [String(SIZE)],
    RU: [record.rules],
    ...one('PB', black),
    ...one('PW', white),
    ...one('EV', record.event),
    ...one('DT', record.date),
    ...one('RE', record.result === undefined ? undefined : formatResult(record.result)),
    ...(record.position === undefined ? {} : writeSetup(record.position)),
    ...one('C', record.comment),
    ...record.properties,
  };
}

function moveProperties({ move, comment, seconds, properties }: RecordMove, player: number): Properties {
  return {
    ...(move !== undefined && { [COLORS[player]!]: [formatSgfMove(parseMove(move))] }),
    ...one(SECONDS_PROPERTY, seconds === undefined ? undefined : String(seconds)),
    ...one('C', comment),
    ...properties,
  };
}

/**
 * Appends a line to `out`. At a branch, the rest of the line and each variation are in parentheses, so the parentheses
 * of a line nest.
 *
 * @param depth number of enclosing parentheses.
 */
function writeLine(out: string[], line: RecordLine, player: number, depth: number): void {
  const branches: { readonly variations: readonly RecordLine[]; readonly player: number }[] = [];
  let mover = player;
  for (const move of line) {
    if (move.variations !== undefined && move.variations.length > 0) {
      branches.push({ variations: move.variations, player: mover });
      out.push('(');
    }
    if (depth + branches.length > MAX_PARENTHESES) {
      throw new DataError(
        'record-too-deep',
        `expected a record with parentheses at most ${MAX_PARENTHESES} deep in SGF`,
      );
    }
    out.push(formatSgfNode(moveProperties(move, mover)));
    if (move.move !== undefined) mover = 1 - mover;
  }
  for (let branch = branches.pop(); branch !== undefined; branch = branches.pop()) {
    out.push(')\n');
    for (const variation of branch.variations) {
      out.push('(');
      writeLine(out, variation, branch.player, depth + branches.length + 1);
      out.push(')\n');
    }
  }
}

/**
 * Expects a record that `readSgf` would accept and keep. The page, whose records do, leaves it out.
 *
 * @throws DataError `record-content`, `record-too-deep`.
 */
function expectReadable(record: GameRecord): void {
  expectSoundRecord(record);
}

/**
 * A record of Gess as an SGF file, FF[4] GM[20], that `readSgf` reads as the same record.
 *
 * @throws DataError `record-game` for another game, `record-content`, `record-too-deep`.
 */
export function writeSgf(record: GameRecord): string {
  if (record.game !== 'gess') {
    throw new DataError(
      'record-game',
      `expected a record of gess, the only game that can be written as SGF; got ${quote(record.game)}`,
    );
  }
  expectReadable(record);
  const start = parsePosition(record.position ?? START_TEXT);
  const out = ['(', formatSgfNode(rootProperties(record))];
  writeLine(out, record.moves, start.player, 1);
  return `${out.join('')})\n`;
}
