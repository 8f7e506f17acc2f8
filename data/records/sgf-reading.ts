import { CodedError } from '../../env/errors.js';
import { createGame } from '../../env/games.js';
import { formatMove, parseMove } from '../../env/gess/move-notation.js';
import { DataError } from '../data-error.js';
import {
  type GameRecord,
  MAX_VARIATION_DEPTH,
  type ReadOptions,
  type RecordMove,
  recordPosition,
  type RecordProperties,
  withoutUndefined,
} from './record.js';
import {
  COLORS,
  GAME_NUMBER,
  MOVE_FIELDS,
  parseResult,
  ROOT_FIELDS,
  SECONDS_PROPERTY,
  SETUP_PROPERTIES,
} from './sgf-fields.js';
import { readSetup } from './sgf-setup.js';
import { parseSgfTrees, type SgfNode } from './sgf-tree.js';
import { quote } from '../../env/text/quoted-text.js';

/** Rules of a file without `RU`: those of SGF's description of Gess. */
const RULES_WITHOUT_NAME = 'sgf';

function textOf({ data }: SgfNode, property: string): string | undefined {
  const text = data[property]?.join('\n');
  return text === '' ? undefined : text;
}

function otherProperties({ data }: SgfNode, fields: ReadonlySet<string>): RecordProperties | undefined {
  const others = Object.entries(data).filter(([name]) => !fields.has(name));
  return others.length === 0 ? undefined : Object.fromEntries(others);
}

/** Adds the place of `node` to coded errors of `read`. */
function atNode<T>(node: SgfNode, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    throw new DataError('record-content', `${node.place}: ${error.message}`, { cause: error });
  }
}

/** The value of the node's move by `player`; null for a node without a move. */
function readMove({ data }: SgfNode, player: number): string | null {
  const colors = COLORS.filter((name) => name in data);
  if (colors.length === 0) return null;
  const color = COLORS[player]!;
  const values = data[color] ?? [];
  if (colors.length > 1 || values.length !== 1) {
    const found = colors
      .map((name) => name + (data[name] ?? []).map((value) => `[${value}]`).join(''))
      .join('');
    throw new DataError('record-content', `expected one move of ${color}, found ${found}`);
  }
  return values[0]!;
}

function readSeconds({ data }: SgfNode): number | undefined {
  const text = data[SECONDS_PROPERTY]?.join(' ');
  if (text === undefined) return undefined;
  // 0 is added, since -0 would be written as 0.
  const seconds = Number(text);
  if (text.trim() !== '' && Number.isFinite(seconds) && seconds >= 0) return seconds + 0;
  throw new DataError('record-content', `expected ${SECONDS_PROPERTY} of 0 or more, got ${quote(text)}`);
}

/** A node's move, comment and properties, without variations. */
function readNode(node: SgfNode, player: number): RecordMove {
  const setup = SETUP_PROPERTIES.find((name) => name in node.data);
  if (setup !== undefined) {
    throw new DataError(
      'record-content',
      `expected stones and turn to be set in the first node only, found ${setup}`,
    );
  }
  const text = readMove(node, player);
  return withoutUndefined({
    move: text === null ? undefined : formatMove(parseMove(text)),
    comment: textOf(node, 'C'),
    seconds: readSeconds(node),
    properties: otherProperties(node, MOVE_FIELDS),
  });
}

/** The line that begins with the first of `siblings`; the others are variations of its first move. */
function readLine(siblings: readonly SgfNode[], player: number, depth: number): RecordMove[] {
  const line: RecordMove[] = [];
  let mover = player;
  let [node, ...others] = siblings;
  while (node !== undefined) {
    if (others.length > 0 && depth === MAX_VARIATION_DEPTH) {
      const expected = `at most ${MAX_VARIATION_DEPTH} nested variations`;
      throw new DataError('record-too-deep', `${node.place}: expected ${expected}`);
    }
    const variations = others.map((other) => readLine([other], mover, depth + 1));
    const here = node;
    const move = atNode(here, () => readNode(here, mover));
    line.push(variations.length > 0 ? { ...move, variations } : move);
    if (move.move !== undefined) mover = 1 - mover;
    [node, ...others] = here.children;
  }
  return line;
}

/** The nodes after the root; a move in the root becomes a node of its own. */
function nodesAfter(root: SgfNode): readonly SgfNode[] {
  const moves = Object.entries(root.data).filter(([name]) => ['B', 'W', SECONDS_PROPERTY].includes(name));
  if (moves.length === 0) return root.children;
  return [{ place: root.place, data: Object.fromEntries(moves), children: root.children }];
}

/** Colour of the first move of the main line, if there is one. */
function firstColor(nodes: readonly SgfNode[]): string | undefined {
  for (let node = nodes[0]; node !== undefined; node = node.children[0]) {
    const { data } = node;
    const color = COLORS.find((name) => name in data);
    if (color !== undefined) return color;
  }
  return undefined;
}

function checkGame(root: SgfNode): void {
  const game = root.data['GM']?.join(' ').trim() ?? '1 (Go, the default)';
  if (game !== GAME_NUMBER) {
    throw new DataError('record-game', `${root.place}: expected Gess, GM[${GAME_NUMBER}]; found GM ${game}`);
  }
  const size = root.data['SZ']?.join(' ').trim() ?? '20';
  if (size !== '20' && size !== '20:20') {
    throw new DataError(
      'record-game',
      `${root.place}: expected a board of 20 x 20, SZ[20]; found SZ[${size}]`,
    );
  }
}

/** The rules text of a root; names may be capitalized, `Eureka`. */
function rulesOf(root: SgfNode): string {
  const text = textOf(root, 'RU')?.trim() ?? RULES_WITHOUT_NAME;
  return /^[A-Za-z]+$/.test(text) ? text.toLowerCase() : text;
}

function readPlayers(root: SgfNode): GameRecord['players'] {
  const [black, white] = [textOf(root, 'PB') ?? null, textOf(root, 'PW') ?? null];
  return black === null && white === null ? undefined : [black, white];
}

function selectGame(roots: readonly SgfNode[], number: number | undefined): SgfNode {
  const root = number === undefined && roots.length > 1 ? undefined : roots[(number ?? 1) - 1];
  if (root !== undefined) return root;
  const expected = number === undefined ? 'one game, or the number of a game' : `game ${number}`;
  throw new DataError('record-count', `expected ${expected}; the file has ${roots.length}`);
}

/**
 * Reads a game of Gess from an SGF file, FF[4] GM[20]. Keeps all properties except those that describe the file.
 *
 * @throws DataError `record-syntax`, `record-content`, `record-game`, `record-count`, `record-too-deep`, with
 *   line and column.
 */
export function readSgf(text: string, { rules, number }: ReadOptions = {}): GameRecord {
  const root = selectGame(parseSgfTrees(text), number);
  checkGame(root);
  const game = atNode(root, () => createGame('gess', rules ?? rulesOf(root)));
  const nodes = nodesAfter(root);
  const position = atNode(root, () => {
    const text = readSetup(root, firstColor(nodes));
    return { start: recordPosition(game, text), player: game.currentPlayer(game.parsePosition(text)) };
  });
  const result = textOf(root, 'RE');
  return withoutUndefined({
    game: game.id,
    rules: game.rules,
    players: readPlayers(root),
    event: textOf(root, 'EV'),
    date: textOf(root, 'DT'),
    result: result === undefined ? undefined : parseResult(result),
    comment: textOf(root, 'C'),
    position: position.start,
    properties: otherProperties(root, ROOT_FIELDS),
    moves: readLine(nodes, position.player, 0),
  });
}
