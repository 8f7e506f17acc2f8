import { basename, join } from 'node:path';
import { DataError } from '../../data/data-error.js';
import type { Lock } from '../../data/files/lock.js';
import { claimOutputFile, expectPlaceForFile } from '../../data/files/output-file.js';
import type { GameRecord } from '../../data/records/record.js';
import { formatOfName, type RecordFormat, writeRecordFile } from '../../data/records/record-file.js';
import { isInstalled } from '../../training/software-version.js';

/** The folder of saved games, in the working directory. */
export const GAMES_FOLDER = 'games';
/** The `event` of records that `gess play` has written, and may write again. */
export const PLAY_EVENT = 'gess play';

/** The path of a file, and the lock that makes this process its only writer. */
interface OwnedName {
  readonly path: string;
  readonly lock: Lock;
}

/** The format in which a game is saved: SGF where it can be, for other programs. */
function savedFormat(gameId: string): RecordFormat {
  return gameId === 'gess' && isInstalled('@sabaki/sgf') ? 'sgf' : 'json';
}

/**
 * Makes this process the owner of a new name, such as `games/gess-2026-11-22-181225.sgf`, that no file and no game of
 * another process has.
 */
async function claimNewName(gameId: string, now: Date): Promise<OwnedName> {
  const [date, time = ''] = now.toISOString().split(/[T.]/);
  const stem = join(GAMES_FOLDER, `${gameId}-${date!}-${time.replaceAll(':', '')}`);
  const ending = savedFormat(gameId);
  for (let number = 1; ; number++) {
    const path = `${stem}${number === 1 ? '' : `-${number}`}.${ending}`;
    try {
      return { path, lock: await claimOutputFile(path, false) };
    } catch (error) {
      if (!(error instanceof DataError && ['file-exists', 'run-locked'].includes(error.code))) throw error;
    }
  }
}

/**
 * The file that a game is saved to, after each move. The first save chooses its name, unless it has one. From then on
 * no other process saves a game there.
 */
export class SavedGame {
  /** The file that has the game; undefined before the first save. */
  file: string | undefined;
  /** The error of the last save; undefined if it succeeded. */
  failure: unknown;
  /** Undefined before the first save of a game without a chosen name. */
  private path: string | undefined;
  private lock: Lock | undefined;

  /** @param path of a new file; undefined: a new one in `GAMES_FOLDER`. */
  constructor(path?: string) {
    this.path = path;
  }

  /** A game that the file at `path` has. It may be overwritten. */
  static of(path: string): SavedGame {
    const saved = new SavedGame(path);
    saved.file = path;
    return saved;
  }

  /** Whether the file has a name, so that even a game without moves is saved. */
  get isNamed(): boolean {
    return this.path !== undefined;
  }

  /**
   * Makes this process the only one that saves a game to the file; without a name for it, expects that the folder of
   * saved games can be written.
   *
   * @throws DataError `run-locked`, with the other process; as `claimOutputFile`.
   */
  async claim(): Promise<void> {
    if (this.path === undefined) await expectPlaceForFile(join(GAMES_FOLDER, 'new.json'), true);
    else this.lock ??= await claimOutputFile(this.path, this.file !== undefined);
  }

  /** Lets other processes save to the file. */
  release(): void {
    this.lock?.release();
    this.lock = undefined;
  }

  /**
   * Saves the record, whole or not at all.
   *
   * @throws DataError `disk-full`, `write-failed`, `file-too-large`; `output-misplaced` and `run-locked` inside other
   *   data.
   */
  async save(record: GameRecord): Promise<void> {
    try {
      const path = await this.ownPath(record.game);
      const format = formatOfName(basename(path)) ?? savedFormat(record.game);
      await writeRecordFile(path, record, { format, overwrite: this.file !== undefined });
      this.file = path;
      this.failure = undefined;
    } catch (error) {
      this.failure = error;
      throw error;
    }
  }

  /** The path of the file, which this process owns. */
  private async ownPath(gameId: string): Promise<string> {
    if (this.path === undefined)
      ({ path: this.path, lock: this.lock } = await claimNewName(gameId, new Date()));
    else await this.claim();
    return this.path;
  }
}
