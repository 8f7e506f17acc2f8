import type { Node, Token } from '@sabaki/sgf';
import { loadOptional } from '../../env/optional-packages.js';
import { DataError } from '../data-error.js';

const { default: sgf } = await loadOptional('@sabaki/sgf', () => import('@sabaki/sgf'));

/**
 * Maximum nesting of parentheses in files read or written: @sabaki/sgf reads them by recursion. A line with a branch at
 * each of a thousand moves needs a thousand.
 */
export const MAX_PARENTHESES = 1000;

/** A node of an SGF file and its place. */
export interface SgfNode {
  /** `line 3, column 5`. */
  readonly place: string;
  /** Values, unescaped, by property. */
  readonly data: Readonly<Record<string, readonly string[]>>;
  readonly children: readonly SgfNode[];
}

/** The kinds of token that may follow each kind. A property's name has an upper-case letter. */
const FOLLOWERS: Readonly<Record<string, readonly string[]>> = {
  '(': [';'],
  ';': ['name', ';', '(', ')'],
  name: ['value'],
  value: ['value', 'name', ';', '(', ')'],
  ')': ['(', ')'],
};

const WORDS: Readonly<Record<string, string>> = {
  '(': "'('",
  ')': "')'",
  ';': "';'",
  name: 'a property',
  value: 'a value in brackets',
};

function placeOf({ row, col }: Token): string {
  return `line ${row + 1}, column ${col + 1}`;
}

function kindOf(token: Token): string {
  switch (token.type) {
    case 'parenthesis':
    case 'semicolon':
      return token.value;
    case 'prop_ident':
      return /[A-Z]/.test(token.value) ? 'name' : 'word';
    case 'c_value_type':
      return 'value';
    case 'invalid':
      return token.value === '[' ? 'open' : 'character';
  }
}

function describeFound(kind: string, { value }: Token): string {
  if (kind === 'open') return 'a value that is not closed';
  return kind === 'value' ? 'a value' : `'${value.slice(0, 40)}'`;
}

/**
 * Yields the tokens of well-formed games and appends the place of each node to `places`: @sabaki/sgf ignores misplaced
 * tokens, or fails without a place.
 *
 * @throws DataError `record-syntax`, `record-too-deep`.
 */
function* checkTokens(tokens: Iterable<Token>, places: string[]): Generator<Token> {
  let depth = 0;
  let last = ')';
  for (const token of tokens) {
    const kind = kindOf(token);
    const expected = depth === 0 ? ['('] : FOLLOWERS[last]!;
    if (!expected.includes(kind)) {
      const words = expected.map((name) => WORDS[name]!).join(' or ');
      throw new DataError(
        'record-syntax',
        `${placeOf(token)}: expected ${words}, found ${describeFound(kind, token)}`,
      );
    }
    if (kind === ';') places.push(placeOf(token));
    if (kind === '(') depth += 1;
    if (kind === ')') depth -= 1;
    if (depth > MAX_PARENTHESES) {
      throw new DataError(
        'record-too-deep',
        `${placeOf(token)}: expected parentheses at most ${MAX_PARENTHESES} deep`,
      );
    }
    last = kind;
    yield token;
  }
  if (depth > 0) throw new DataError('record-syntax', `expected ')', found the end of the file`);
}

/** @throws DataError `record-syntax` for an unpaired surrogate, which UTF-8 cannot hold. */
function checkCharacters(text: string): void {
  const at = text.search(/\p{Cs}/u);
  if (at === -1) return;
  const lines = text.slice(0, at).split('\n');
  const place = `line ${lines.length}, column ${lines.at(-1)!.length + 1}`;
  throw new DataError('record-syntax', `${place}: expected whole characters, found half of a surrogate pair`);
}

/**
 * The roots of the games of an SGF file. Text before the first game is ignored, by FF[4].
 *
 * @throws DataError `record-syntax` with line and column, `record-too-deep`.
 */
export function parseSgfTrees(text: string): readonly SgfNode[] {
  checkCharacters(text);
  const start = /\(\s*;/.exec(text)?.index;
  if (start === undefined) throw new DataError('record-syntax', "expected a game, '(;', found none");
  // Blanks preserve the numbers of lines and columns.
  const games = text.slice(0, start).replace(/[^\n]/g, ' ') + text.slice(start);
  const places: string[] = [];
  let nextId = 0;
  const roots = sgf.parseTokens(checkTokens(sgf.tokenizeIter(games), places), { getId: () => nextId++ });
  return roots.map((root) => withPlaces(root, places));
}

/** Copies a tree, with a stack in place of recursion: a line of moves is as deep as it is long. */
function withPlaces(root: Node, places: readonly string[]): SgfNode {
  const copy = (node: Node): SgfNode & { children: SgfNode[] } => ({
    place: places[node.id]!,
    data: node.data,
    children: [],
  });
  const top = copy(root);
  const todo = [{ from: root, to: top }];
  for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
    for (const child of next.from.children) {
      const to = copy(child);
      next.to.children.push(to);
      todo.push({ from: child, to });
    }
  }
  return top;
}

/** The text of one node, `;B[fo:fn]C[…]`, with escaped values, and a newline. */
export function formatSgfNode(data: SgfNode['data']): string {
  return sgf.stringify({ data, children: [] }, { linebreak: '\n' });
}
