import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The text of docs/reference/rules.md. */
export function readRulesText(): string {
  return readFileSync(join(import.meta.dirname, '..', '..', '..', 'docs', 'reference', 'rules.md'), 'utf8');
}

/** A statement under a diagram, about the position after the moves of the `play` lines above it. */
export interface Statement {
  /** The line, for messages. */
  readonly line: string;
  readonly word: 'ends' | 'legal' | 'illegal' | 'outcome' | 'rings';
  /** The centre of the piece, of `ends`; the colour, of `rings`. */
  readonly subject: string;
  readonly rules: readonly string[];
  /** The words after the colon; empty for `none`. */
  readonly values: readonly string[];
  /** Moves played before. */
  readonly moves: string;
}

/** Squares that a diagram shows, by name, with what is on them: `x`, `o`, `.`, `-` or `+`. */
export type Diagram = ReadonlyMap<string, string>;

/** A diagram of docs/reference/rules.md with its position and statements. */
export interface Example {
  /** The rule above it, and its number among that rule's diagrams: `2.3 #1`. */
  readonly name: string;
  readonly position: string;
  readonly before: Diagram;
  /** Empty where only one diagram is drawn. */
  readonly after: Diagram;
  readonly statements: readonly Statement[];
  /** All moves of the `play` lines. */
  readonly moves: string;
}

/** A rank's number and the contents of its squares, each after a space; at most twice in a line. */
const RANK = /(\d+)((?: [xo.+-])+)(?=\s|$)/g;

function readDiagrams(lines: readonly string[]): readonly [Diagram, Diagram] {
  const [header = '', ...ranks] = lines;
  const files = header.trim().split(/\s{2,}/);
  const diagrams = [new Map<string, string>(), new Map<string, string>()] as const;
  for (const line of ranks) {
    const halves = [...line.matchAll(RANK)];
    if (halves.length !== files.length) throw new Error(`expected ${files.length} ranks in '${line}'`);
    for (const [side, [, rank = '', squares = '']] of halves.entries()) {
      const names = files[side]!.split(' ');
      const marks = squares.trim().split(' ');
      if (names.length !== marks.length) throw new Error(`expected ${names.length} squares in '${line}'`);
      names.forEach((file, i) => diagrams[side === 0 ? 0 : 1].set(`${file}${rank}`, marks[i]!));
    }
  }
  return diagrams;
}

const WORDS = ['ends', 'legal', 'illegal', 'outcome', 'rings'] as const;

function readStatement(line: string, moves: string): Statement {
  const [head = '', tail = ''] = line.split(':');
  const [first = '', ...names] = head.split(' ');
  const word = WORDS.find((known) => known === first);
  const hasSubject = word === 'ends' || word === 'rings';
  const values = tail.trim().split(' ');
  if (word === undefined || values.includes('')) throw new Error(`cannot read '${line}'`);
  return {
    line,
    word,
    subject: hasSubject ? (names[0] ?? '') : '',
    rules: word === 'rings' ? ['eureka'] : hasSubject ? names.slice(1) : names,
    values: values[0] === 'none' && word !== 'outcome' ? [] : values,
    moves,
  };
}

function readExample(name: string, block: string): Example {
  const [drawing = '', said = ''] = block.split('\n\n');
  const [before, after] = readDiagrams(drawing.split('\n'));
  const [positionLine = '', ...lines] = said.trim().split('\n');
  const statements: Statement[] = [];
  let moves = '';
  for (const line of lines) {
    if (line.startsWith('play ')) moves = `${moves} ${line.slice(5)}`;
    else statements.push(readStatement(line, moves));
  }
  return { name, position: positionLine.replace(/^position /, ''), before, after, statements, moves };
}

/** The code blocks of docs/reference/rules.md with the language `gess`, in order. */
export function readExamples(text: string): Example[] {
  const numbers = new Map<string, number>();
  return [...text.matchAll(/^```gess\n([^`]*)^```/gm)].map((match) => {
    const rule = [...text.slice(0, match.index).matchAll(/^(\d+\.\d+) /gm)].at(-1)?.[1] ?? '?';
    numbers.set(rule, (numbers.get(rule) ?? 0) + 1);
    return readExample(`${rule} #${numbers.get(rule) ?? 0}`, match[1]!);
  });
}

/** A row of the table of counts. */
export interface CountRow {
  readonly rules: string;
  /** At depths 1, 2 and 3. */
  readonly counts: readonly number[];
}

/** The rows of the table whose first column is `rules` and whose others are depths. */
export function readCountRows(text: string): CountRow[] {
  const [, body = ''] = /^\| rules +\| 1 .*\n\|[-| ]+\n((?:\|.*\n)+)/m.exec(text) ?? [];
  return body
    .trim()
    .split('\n')
    .map((line) => {
      const [rules = '', ...counts] = line.split('|').slice(1, -1);
      return { rules: rules.trim(), counts: counts.map((count) => Number(count.replace(/,/g, ''))) };
    });
}
