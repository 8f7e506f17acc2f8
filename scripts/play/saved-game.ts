import { basename, join } from 'node:path';
import { exists } from '../../data/files/atomic-file.js';
import type { GameRecord } from '../../data/records/record.js';
import { formatOfName, type RecordFormat, writeRecordFile } from '../../data/records/record-file.js';
import { isInstalled } from '../../training/software-version.js';

/** The folder of saved games, in the working directory. */
export const GAMES_FOLDER = 'games';
/** The `event` of records that `gess play` has written, and may write again. */
export const PLAY_EVENT = 'gess play';

/** The format in which a game is saved: SGF where it can be, for other programs. */
function savedFormat(gameId: string): RecordFormat {
  return gameId === 'gess' && isInstalled('@sabaki/sgf') ? 'sgf' : 'json';
}

/** A name for a new game, such as `games/gess-2026-11-22-181225.sgf`, that no file uses yet. */
async function freshPath(gameId: string, now: Date): Promise<string> {
  const [date, time = ''] = now.toISOString().split(/[T.]/);
  const stem = join(GAMES_FOLDER, `${gameId}-${date!}-${time.replaceAll(':', '')}`);
  const ending = savedFormat(gameId);
  for (let number = 1; ; number++) {
    const path = `${stem}${number === 1 ? '' : `-${number}`}.${ending}`;
    if (!(await exists(path))) return path;
  }
}

/** The file that a game is saved to, after each move. The first save chooses its name, unless it has one. */
export class SavedGame {
  /** The file that has the game; undefined before the first save. */
  file: string | undefined;
  /** The error of the last save; undefined if it succeeded. */
  failure: unknown;
  /** Undefined before the first save of a game without a chosen name. */
  private path: string | undefined;

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
   * Saves the record, whole or not at all.
   *
   * @throws DataError `disk-full`, `write-failed`, `file-too-large`; `output-misplaced` and `run-locked` inside other
   *   data.
   */
  async save(record: GameRecord): Promise<void> {
    try {
      this.path ??= await freshPath(record.game, new Date());
      const format = formatOfName(basename(this.path)) ?? savedFormat(record.game);
      await writeRecordFile(this.path, record, { format, overwrite: true });
      this.file = this.path;
      this.failure = undefined;
    } catch (error) {
      this.failure = error;
      throw error;
    }
  }
}
