import { type BoardDrawing, countDrawnPieces, type SquareMark } from '../../../env/diagrams/board-drawing.js';
import type { Player } from '../../../env/game.js';
import { describeEnd } from '../end-text.js';
import { exampleMove } from '../help-text.js';
import { levelsOfGame } from '../opponent-level.js';
import type { PlayTable } from '../play-table.js';
import { candidateLines, describeBalance, describeWork } from '../thought-text.js';
import { tintOf } from './board-painting.js';
import { ALARM, FAINT, GOOD, TITLE } from '../../terminal/inks.js';
import { type Ink, inkText } from '../../terminal/terminal-colors.js';
import type { TerminalFacts } from '../../terminal/terminal-facts.js';
import { wrapText } from '../../text/wrapped-text.js';
import { cutText } from '../../text/columns.js';

/** The facts in the text beside the board. */
export interface SideScene {
  readonly table: PlayTable;
  readonly drawing: BoardDrawing | undefined;
  /** The pieces of the first position. */
  readonly firstPieces: readonly [number, number] | undefined;
  /** Answers to the last entry. */
  readonly answer: readonly string[];
  readonly facts: TerminalFacts;
}

/** A line of text with its look. */
type Line = readonly [text: string, ink?: Ink];

function titleLine({ table }: SideScene): Line {
  return [`${table.game.id.toUpperCase()}  ${table.game.rules}`, TITLE];
}

/** `> black  you     41 left, 2 lost`. */
function playerLine({ table, drawing, firstPieces }: SideScene, player: Player): Line {
  const { session, game } = table;
  const isToMove = !session.isOver && session.player === player;
  const name = game.playerNames[player].padEnd(Math.max(...game.playerNames.map(({ length }) => length)));
  const who = session.seats[player] === 'agent' ? 'program' : session.isAgainstAgent ? 'you' : 'person';
  const count = drawing === undefined ? undefined : countDrawnPieces(drawing)[player];
  const lost = count === undefined || firstPieces === undefined ? 0 : firstPieces[player] - count;
  // Games that begin with an empty board lose no pieces.
  const pieces =
    count === undefined || firstPieces?.[player] === 0
      ? ''
      : `  ${count} left${lost > 0 ? `, ${lost} lost` : ''}`;
  return [`${isToMove ? '>' : ' '} ${name} ${who.padEnd(7)}${pieces}`, isToMove ? TITLE : {}];
}

/** The player to move, the activity in progress, or the result of the game. */
function statusLines(table: PlayTable): readonly Line[] {
  const { session, thinking, game } = table;
  const end = describeEnd(session);
  if (end !== null) return [[`Game over: ${end}.`, GOOD]];
  const name = game.playerNames[session.player];
  if (thinking === undefined) return [[session.isAgainstAgent ? 'Your move.' : `${name} to move.`, TITLE]];
  const seconds = `${((performance.now() - thinking.startMs) / 1000).toFixed(1)} s`;
  const subject = { opponent: `${name} thinks`, hint: 'looking for a hint', analysis: 'analysing' }[
    thinking.purpose
  ];
  const { thought } = thinking;
  const facts =
    thought === undefined ? [] : [describeWork(thought), describeBalance(game, session.player, thought)];
  const stops = thinking.purpose === 'opponent' ? 'Enter: move now' : 'Enter: stop';
  return [
    [[`${subject}… ${seconds}`, ...facts].filter((text) => text !== '').join(', '), TITLE],
    [stops, FAINT],
  ];
}

/** The state of the game in a few words, for screens without room for more. */
export function briefStatus(table: PlayTable): string {
  return statusLines(table)[0]![0];
}

/** The best lines, while an analysis runs. */
function adviceLines({ table }: SideScene): readonly Line[] {
  const { thinking, game } = table;
  if (thinking?.purpose !== 'analysis' || thinking.thought === undefined) return [];
  return candidateLines(game, thinking.thought).map((line) => [line]);
}

function movesLines({ table }: SideScene): readonly string[] {
  const { moves, game, start } = table.session;
  const texts = moves.map(({ move }) => move!);
  const first = start === undefined ? 0 : game.currentPlayer(game.parsePosition(start));
  const cells = first === 1 ? ['…', ...texts] : texts;
  const width = Math.max(7, ...cells.map(({ length }) => length)) + 1;
  const pairs = Array.from({ length: Math.ceil(cells.length / 2) }, (_, index) => [
    cells[2 * index]!,
    cells[2 * index + 1] ?? '',
  ]);
  return pairs.map(([one, other], index) =>
    `${String(index + 1).padStart(3)}. ${one!.padEnd(width)}${other!}`.trimEnd(),
  );
}

/** The legend of the marks on the board. */
function legend({ drawing, facts }: SideScene, columns: number): readonly string[] {
  if (drawing === undefined) return [];
  const shown = new Set(drawing.rows.flat().flatMap(({ marks }) => marks));
  const names: readonly (readonly [SquareMark, string])[] = [
    ['after', 'last move'],
    ['ring', 'ring'],
    ['threat', 'ring in danger'],
    ['piece', 'chosen piece'],
  ];
  const { fill } = drawing.rows[1]![1]!;
  const entries = names
    .filter(([mark]) => shown.has(mark))
    .map(([mark, text]) => ({ text, tint: tintOf(mark, fill) }));
  const lines: string[] = [];
  let line = '';
  let width = 0;
  for (const { text, tint } of entries) {
    if (width > 0 && width + text.length + 5 > columns) {
      lines.push(line);
      [line, width] = ['', 0];
    }
    line += `${width > 0 ? '  ' : ''}${inkText('  ', { background: tint }, facts.depth)} ${text}`;
    width += text.length + 5;
  }
  return line === '' ? lines : [...lines, line];
}

/** For a game without moves: how to begin. */
function welcome({ table }: SideScene): readonly Line[] {
  if (table.session.moves.length > 0 || table.session.isOver) return [];
  const move = exampleMove(table.game);
  const isPair = move.includes('-');
  const how = isPair
    ? `Type a move, such as ${move}, or the square of a piece, ${move.split('-')[0]!}, to see where it can go.`
    : `Type a move, such as ${move}.`;
  const levels = `Too strong or too weak? Type level 1 … level ${levelsOfGame(table.game).length}.`;
  return [
    [how],
    [''],
    ['New to this game? Type help rules.', GOOD],
    ...(table.session.isAgainstAgent ? [[levels] as const] : []),
  ];
}

/** The text beside the board: at most `lines` lines of at most `columns` columns, colours not counted. */
export function sideText(
  scene: SideScene,
  { columns, lines }: { columns: number; lines: number },
): readonly string[] {
  const { depth } = scene.facts;
  const render = (part: readonly Line[]): readonly string[] =>
    part.flatMap(([text, ink = {}]) =>
      wrapText(text, columns, '  ').map((line) => inkText(line, ink, depth)),
    );
  const head = [
    ...render([titleLine(scene), playerLine(scene, 0), playerLine(scene, 1)]),
    '',
    ...render(statusLines(scene.table)),
    ...render((scene.drawing?.notes ?? []).map((note) => [note, ALARM])),
    ...render(adviceLines(scene)),
  ];
  const body = render(scene.answer.length > 0 ? scene.answer.map((line) => [line]) : welcome(scene));
  const foot = legend(scene, columns);
  const room = lines - head.length - body.length - foot.length - 3;
  const moves = movesLines(scene);
  const shown = room > 0 ? moves.slice(-room).map((line) => cutText(line, columns)) : [];
  const parts = [head, shown, body, foot].filter((part) => part.length > 0);
  return parts.flatMap((part, index) => (index === 0 ? part : ['', ...part])).slice(0, lines);
}
