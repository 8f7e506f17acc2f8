import { join } from 'node:path';
import { modelOfAgent, namesProgram, networkOfAgent, parseAgentSpec } from '../../agents/agent-spec.js';
import { namesIfThere } from '../../data/folder-reader.js';
import type { GameRecord } from '../../data/records/record.js';
import { formatOfName, readRecordFile } from '../../data/records/record-file.js';
import { CodedError } from '../../env/errors.js';
import { createGame } from '../../env/games.js';
import { explainIllegal } from '../../env/replay/replay.js';
import { shippedModelFile } from '../../training/export/shipped-models.js';
import { shippedPatterns } from '../../training/inference/package-models.js';
import { PlayError } from './play-error.js';
import { PlaySession, type Seat } from './play-session.js';
import { PERSON } from './play-table.js';
import { GAMES_FOLDER, PLAY_EVENT, SavedGame } from './saved-game.js';

/** The name of a saved game: the second in which it began, and its number among the games of that second. */
const SAVED_NAME = /^[a-z].*-(\d{4}-\d\d-\d\d-\d{6})(?:-(\d+))?\.(?:sgf|json)$/;

/** A saved game to resume. */
export interface ResumedGame {
  readonly session: PlaySession;
  readonly saved: SavedGame;
  readonly facts: Partial<GameRecord>;
  /** The opponent's text in the record, if it can be used as it is. */
  readonly opponent?: string | undefined;
  /** The text of the record's agent, if it is not used because it names files or a program from elsewhere. */
  readonly replaced?: string | undefined;
}

/**
 * The newest saved game.
 *
 * @throws PlayError `play-resume` if there is none; DataError `file-unreadable`.
 */
export async function newestGame(): Promise<string> {
  const names = await namesIfThere(GAMES_FOLDER);
  const dated = names.flatMap((name) => {
    const [, second, number = '1'] = SAVED_NAME.exec(name) ?? [];
    return second === undefined ? [] : [{ name, key: `${second} ${number.padStart(9, '0')}` }];
  });
  const [newest] = dated.sort((one, other) => (one.key < other.key ? 1 : -1));
  if (newest !== undefined) return join(GAMES_FOLDER, newest.name);
  throw new PlayError('play-resume', `expected a saved game in ${GAMES_FOLDER}/, found none; name a file`);
}

/** The agent that played before; used only if the package ships it: a file may come from an untrusted source. */
function opponentOfRecord({ players }: GameRecord): Pick<ResumedGame, 'opponent' | 'replaced'> {
  const names: readonly (string | null)[] = players ?? [];
  const agents = names.filter((name) => name !== null).filter(isAgent);
  const opponent = agents.find(isOwnAgent);
  return opponent === undefined ? { replaced: agents[0] } : { opponent };
}

/** Whether the name of a player is the text of an agent. */
function isAgent(text: string): boolean {
  try {
    parseAgentSpec(text);
    return true;
  } catch (error) {
    if (error instanceof CodedError) return false;
    throw error;
  }
}

function isOwnAgent(text: string): boolean {
  if (namesProgram(text)) return false;
  const network = networkOfAgent(text);
  const model = modelOfAgent(text);
  const isOwnNetwork = network === null || shippedPatterns(network) !== undefined;
  return isOwnNetwork && (model === null || shippedModelFile(model) !== undefined);
}

/** Plays the moves of a record; comments and variations stay with them. */
function replay(session: PlaySession, { moves }: GameRecord, path: string): void {
  const { game } = session;
  for (const [index, note] of moves.entries()) {
    if (note.move === undefined) {
      throw new PlayError('play-resume', `${path}: expected move ${index + 1}, found a comment alone`);
    }
    const action = game.parseAction(note.move);
    if (!game.isLegal(session.state, action)) {
      const why = explainIllegal(game, session.state, action);
      throw new PlayError('play-resume', `${path}: expected legal moves; move ${index + 1}: ${why}`);
    }
    session.play(action, note);
  }
}

/** The seats of a record: a person's where the record names the player as one; undefined if it names no person. */
function seatsOf({ players }: GameRecord): readonly [Seat, Seat] | undefined {
  const [first, second] = players ?? [];
  if (first !== PERSON && second !== PERSON) return undefined;
  return [first === PERSON ? 'person' : 'agent', second === PERSON ? 'person' : 'agent'];
}

/** Ends the game by resignation or agreement if the record's result says so and the moves do not end it. */
function agree(session: PlaySession, { result }: GameRecord): void {
  if (result === undefined || session.isOver) return;
  const { playerNames } = session.game;
  if (result === 'draw') session.agree({ kind: 'draw' });
  else if (result === `${playerNames[0]}+R`) session.agree({ kind: 'resigned', by: 1 });
  else if (result === `${playerNames[1]}+R`) session.agree({ kind: 'resigned', by: 0 });
}

/**
 * Reads a game to resume. It is saved to the same file if `gess play` wrote it, and to a new one otherwise.
 *
 * @throws DataError as `readRecordFile`; PlayError `play-resume` for a name that is neither SGF nor JSON, and illegal
 *   moves.
 */
export async function resumeGame(path: string): Promise<ResumedGame> {
  const format = formatOfName(path);
  if (format === undefined) {
    throw new PlayError('play-resume', `expected a name ending in .sgf or .json, got ${path}`);
  }
  const record = await readRecordFile(path, format);
  const game = createGame(record.game, record.rules);
  const session = new PlaySession(game, { seats: ['person', 'agent'], start: record.position });
  replay(session, record, path);
  agree(session, record);
  const seats = seatsOf(record);
  if (seats !== undefined) session.seats = seats;
  else if (session.player === 1) session.seats = ['agent', 'person'];
  const isOurs = record.event === PLAY_EVENT;
  const { date, comment, properties } = record;
  return {
    session,
    saved: isOurs ? SavedGame.of(path) : new SavedGame(),
    facts: Object.fromEntries(
      Object.entries({ date, comment, properties }).filter(([, fact]) => fact !== undefined),
    ),
    ...opponentOfRecord(record),
  };
}
