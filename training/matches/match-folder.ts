import { basename, join } from 'node:path';
import {
  exists,
  makeFolder,
  removeFile,
  removeStaleTemporaries,
  writeFileAtomic,
} from '../../data/files/atomic-file.js';
import { namesIn } from '../../data/folder-reader.js';
import { readInput } from '../../data/files/input-file.js';
import { type JsonForm, readJsonFile } from '../../data/files/json-file.js';
import { openSealed, sealJson } from '../../data/files/sealed-json.js';
import { jsonOfRecord, readJsonRecord } from '../../data/records/record-json.js';
import { DataError } from '../../data/data-error.js';
import { CodedError } from '../../env/errors.js';
import type { Game } from '../../env/game.js';
import { JsonTextError } from '../../env/text/json-text.js';
import { createGame } from '../../env/games.js';
import { quote } from '../../env/text/quoted-text.js';
import { TrainingError } from '../training-error.js';
import type { GameOfMatch, MatchGame } from './match-game.js';
import { gameOfRecord, playersOf, recordOfMatchGame } from './match-record.js';
import type { MatchServices } from './match-run.js';
import { MatchSettings } from './match-settings.js';

const SETTINGS_FILE = 'match.json';
/** Names of the files of games. */
const GAME_FILE = /^pair-\d+-[01]\.json$/;

const MATCH_FORM: JsonForm<MatchSettings> = {
  schema: MatchSettings,
  name: 'the settings of a match',
  seal: 'file',
  error: (message, cause) => new TrainingError('match-damaged', message, { cause }),
};

/** Name of the file of a game. */
function nameOf({ pair, agentPlayer }: GameOfMatch): string {
  return `pair-${String(pair).padStart(6, '0')}-${agentPlayer}.json`;
}

function otherGame(name: string): DataError {
  return new DataError('record-content', `found the game of ${name}`);
}

/** A match on disk: `match.json` with its settings, and `games/` with a record for each finished game. */
export class MatchFolder {
  readonly settings: MatchSettings;
  private readonly games: string;
  private readonly game: Game<unknown>;

  private constructor(folder: string, settings: MatchSettings) {
    this.settings = settings;
    this.games = join(folder, 'games');
    this.game = createGame(settings.game.id, settings.game.rules);
  }

  /** Whether the folder contains a match. */
  static has(folder: string): Promise<boolean> {
    return exists(join(folder, SETTINGS_FILE));
  }

  /**
   * Reads the settings of a folder's match.
   *
   * @throws TrainingError `match-missing`, `match-damaged`; DataError `file-unreadable`.
   */
  static async readSettings(folder: string): Promise<MatchSettings> {
    const path = join(folder, SETTINGS_FILE);
    const settings = await readJsonFile(path, 'match', MATCH_FORM);
    if (settings !== null) return settings;
    throw new TrainingError('match-missing', `expected a match in ${folder}: no ${path}`);
  }

  /**
   * Opens a folder for the games of a match: a new folder, or one of a match with the same settings except for the
   * number of games. The caller holds its lock.
   *
   * @throws TrainingError `match-changed` if the folder contains a match with other settings; as `readSettings`;
   *   DataError if it cannot be written.
   */
  static async open(folder: string, settings: MatchSettings): Promise<MatchFolder> {
    const opened = new MatchFolder(folder, settings);
    if (await MatchFolder.has(folder)) {
      const found: Record<string, unknown> = await MatchFolder.readSettings(folder);
      const changed = Object.entries(settings).find(
        ([name, value]) => name !== 'games' && JSON.stringify(found[name]) !== JSON.stringify(value),
      );
      if (changed !== undefined) {
        const [name, value] = changed;
        throw new TrainingError(
          'match-changed',
          `expected the settings of the match in ${folder}, whose ${name} is ${JSON.stringify(found[name])}, ` +
            `not ${JSON.stringify(value)}`,
        );
      }
    }
    await makeFolder(opened.games);
    await removeStaleTemporaries(folder);
    await removeStaleTemporaries(opened.games);
    await writeFileAtomic(join(folder, SETTINGS_FILE), sealJson(settings, 'file'));
    return opened;
  }

  /** Writes a finished game atomically. */
  async add(played: MatchGame): Promise<void> {
    const { agent, opponent } = this.settings;
    const record = recordOfMatchGame(this.game, played, [agent, opponent]);
    await writeFileAtomic(join(this.games, nameOf(played)), sealJson(jsonOfRecord(record), 'file'));
  }

  /**
   * Removes a game, if it has been written.
   *
   * @throws DataError `write-failed`, `disk-full`.
   */
  async remove(game: GameOfMatch): Promise<void> {
    await removeFile(join(this.games, nameOf(game)));
  }

  /**
   * The services of `runMatch` that go on with the games of this folder and store further ones.
   *
   * @throws as `finishedGames`.
   */
  async services(): Promise<Required<Pick<MatchServices, 'finished' | 'keep' | 'remove'>>> {
    return {
      finished: await this.finishedGames(),
      keep: (game) => this.add(game),
      remove: (game) => this.remove(game),
    };
  }

  /**
   * The finished games, in order.
   *
   * @throws TrainingError `match-damaged` for an unreadable game; DataError `file-unreadable`.
   */
  async finishedGames(): Promise<readonly MatchGame[]> {
    const names = (await namesIn(this.games)).filter((name) => GAME_FILE.test(name)).sort();
    const games: MatchGame[] = [];
    for (const name of names) games.push(await this.readGame(join(this.games, name)));
    return games;
  }

  private async readGame(path: string): Promise<MatchGame> {
    return readGameFile(path, (text) => {
      const record = readJsonRecord(text);
      const game = gameOfRecord(this.game, record);
      if (nameOf(game) !== basename(path)) throw otherGame(nameOf(game));
      const { agent, opponent } = this.settings;
      const [first, second] = playersOf([agent, opponent], game.agentPlayer);
      const [foundFirst, foundSecond] = record.players ?? [];
      if (foundFirst !== first || foundSecond !== second)
        throw otherGame(`${quote(foundFirst ?? '')} against ${quote(foundSecond ?? '')}`);
      return game;
    });
  }
}

/** @throws TrainingError `match-damaged` if the file does not match its checksum or `read` refuses its text. */
async function readGameFile<Found>(path: string, read: (text: string) => Found): Promise<Found> {
  const text = (await readInput(path, 'record')).toString();
  const damaged = (problem: string, cause?: unknown): TrainingError =>
    new TrainingError(
      'match-damaged',
      `expected a game of this match in ${path}: ${problem}; remove the file to play the game again`,
      { cause },
    );
  try {
    if (openSealed(text, 'file').seal === 'altered') throw damaged('it does not match its own checksum');
    return read(text);
  } catch (error) {
    const isKnown = error instanceof CodedError || error instanceof JsonTextError;
    if (!isKnown || error instanceof TrainingError) throw error;
    throw damaged(error.message, error);
  }
}

/**
 * The check for a file of a match, settings or game, by its name (data/verification.ts); undefined for other files.
 */
export function checkOfMatchFile(name: string): ((path: string) => Promise<boolean>) | undefined {
  if (name === SETTINGS_FILE) return async (path) => (await readJsonFile(path, 'match', MATCH_FORM)) !== null;
  if (!GAME_FILE.test(name)) return undefined;
  return (path) => readGameFile(path, (text) => openSealed(text, 'file').seal === 'sound');
}
