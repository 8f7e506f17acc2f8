import { parseAgentSpec } from '../../agents/agent-spec.js';
import { DataError } from '../../data/data-error.js';
import { formatOfName, writeRecordFile } from '../../data/records/record-file.js';
import { quote } from '../../env/text/quoted-text.js';
import type { CommandName } from './command-words.js';
import { describeEnd } from './end-text.js';
import { helpLines, rulesLines } from './help-text.js';
import { agentOfLevel, levelsOfGame } from './opponent-level.js';
import { legalMoveTexts } from './move-entry.js';
import { PlayError } from './play-error.js';
import { PlaySession } from './play-session.js';
import type { PlayTable } from './play-table.js';
import { SavedGame } from './saved-game.js';
import { parseSeats } from './seats.js';
import { candidateLines } from './thought-text.js';
import { countOf } from '../../env/text/count-of.js';

/** Number of candidates of an analysis by default, and at most. */
const ANALYSIS_LINES = 3;
const MOST_LINES = 9;

type CommandAction = (table: PlayTable, argument: string) => Promise<void> | void;

/** Tells the person if the game is over, so that there is no move to find; returns whether it is. */
function isOver({ session, view }: PlayTable): boolean {
  const end = describeEnd(session);
  if (end !== null)
    view.tell([`the game is over: ${end}`, 'undo takes the last move back; new begins another']);
  return end !== null;
}

function parseNumber(text: string, most: number, fallback?: number): number {
  if (text === '' && fallback !== undefined) return fallback;
  const number = Number(text);
  if (/^\d{1,3}$/.test(text) && number >= 1 && number <= most) return number;
  throw new PlayError('play-number', `expected a number from 1 to ${most}, got ${quote(text)}`);
}

async function seat(table: PlayTable, seats: PlaySession['seats']): Promise<void> {
  const { session } = table;
  const before = session.seats;
  session.seats = seats;
  try {
    await table.prepare();
  } catch (error) {
    // Without its opponent the game goes on as it was.
    session.seats = before;
    throw error;
  }
  await table.changed();
  await table.letAgentMove();
}

function listMoves({ session, view }: PlayTable, square: string): void {
  const { game, state } = session;
  const all = legalMoveTexts({ game, state });
  const start = `${square.toLowerCase()}-`;
  const moves = square === '' ? all : all.filter((move) => move.toLowerCase().startsWith(start));
  const of = square === '' ? '' : ` of ${quote(square)}`;
  const count = countOf(moves.length, 'legal move');
  view.tell([
    `${count}${of}${moves.length === 0 ? '' : ':'}`,
    ...(moves.length === 0 ? [] : [moves.join(' ')]),
  ]);
}

async function hint(table: PlayTable): Promise<void> {
  if (isOver(table)) return;
  const thought = await table.advise('hint', 1);
  const move = table.game.formatAction(thought.candidates[0]!.action);
  table.chosen = move.includes('-') ? move.split('-')[0] : undefined;
  table.view.tell([`hint: ${move} (type it to play it)`, ...candidateLines(table.game, thought)]);
}

async function analyze(table: PlayTable, argument: string): Promise<void> {
  if (isOver(table)) return;
  const thought = await table.advise('analysis', parseNumber(argument, MOST_LINES, ANALYSIS_LINES));
  const { game, session } = table;
  const name = game.playerNames[session.player];
  table.view.tell([`the best moves of ${name}, by expected result:`, ...candidateLines(game, thought)]);
}

async function goOn(table: PlayTable): Promise<void> {
  if (isOver(table)) return;
  const thought = await table.advise('hint', 1);
  await table.play(thought.candidates[0]!.action);
}

async function resign(table: PlayTable): Promise<void> {
  if (isOver(table)) return;
  table.session.agree({ kind: 'resigned', by: table.session.player });
  await table.changed();
}

async function agreeOnDraw(table: PlayTable): Promise<void> {
  if (isOver(table)) return;
  if (table.session.isAgainstAgent) {
    table.view.tell([
      'the opponent accepts no draws; two people can agree on one',
      'resign gives the game up',
    ]);
    return;
  }
  table.session.agree({ kind: 'draw' });
  await table.changed();
}

async function takeBack(table: PlayTable): Promise<void> {
  const wasAgreed = table.session.agreed !== undefined;
  const count = table.session.undo();
  if (count === 0 && !wasAgreed) table.view.tell(['you have no move to take back']);
  else {
    await table.changed();
    table.view.tell([count === 0 ? 'the game goes on' : `took back ${countOf(count, 'move')}`]);
  }
}

async function playAgain(table: PlayTable): Promise<void> {
  if (isOver(table)) return;
  const count = table.session.redo();
  if (count === 0) table.view.tell(['there is no move to play again']);
  else await table.changed();
  await table.letAgentMove();
}

async function beginAnother(table: PlayTable): Promise<void> {
  const { game, seats, start } = table.session;
  const kept = await table.savedFile();
  await table.restart(new PlaySession(game, { seats, start }), new SavedGame());
  table.view.tell([`a new game${kept === undefined ? '' : `; the last one is in ${kept}`}`]);
  await table.letAgentMove();
}

async function changeOpponent(table: PlayTable, agent: string): Promise<void> {
  if (agent === '') {
    table.view.tell([
      `the opponent is ${table.opponentText}`,
      'opponent AGENT changes it, for example: opponent greedy',
    ]);
    return;
  }
  parseAgentSpec(agent);
  await table.changeOpponent(agent);
  table.view.tell([`the opponent is now ${agent}`]);
  await table.changed();
  // It is to move if the one before failed at its move.
  await table.letAgentMove();
}

async function saveCopy(table: PlayTable, path: string): Promise<void> {
  const format = formatOfName(path);
  if (format === undefined) {
    throw new DataError('write-failed', `expected a name ending in .sgf or .json, got ${quote(path)}`);
  }
  await writeRecordFile(path, table.record, { format, overwrite: false });
  table.view.tell([`saved a copy as ${path}`]);
}

/** The effect of each command; `quit` and `stop` belong to the prompt. */
export const COMMAND_ACTIONS: Readonly<Record<Exclude<CommandName, 'quit' | 'stop'>, CommandAction>> = {
  help: ({ game, view }, topic) => {
    view.tell(topic.startsWith('r') ? rulesLines(game) : helpLines(game));
  },
  hint,
  analyze,
  undo: takeBack,
  redo: playAgain,
  swap: async (table) => {
    const [first, second] = table.session.seats;
    await seat(table, [second, first]);
  },
  side: async (table, name) => {
    await seat(table, parseSeats(table.game, name));
  },
  go: goOn,
  opponent: changeOpponent,
  level: async (table, argument) => {
    await changeOpponent(
      table,
      agentOfLevel(table.game, parseNumber(argument, levelsOfGame(table.game).length)),
    );
  },
  moves: listMoves,
  board: ({ view }) => {
    view.update();
  },
  position: ({ session, view }) => {
    const { game, state, line } = session;
    view.tell([`position: ${game.formatPosition(state)}`, `moves: ${line === '' ? 'none' : line}`]);
  },
  resign,
  draw: agreeOnDraw,
  new: beginAnother,
  save: saveCopy,
};
