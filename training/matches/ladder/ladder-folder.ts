import { join } from 'node:path';
import { exists, removeStaleTemporaries, writeFileAtomic } from '../../../data/files/atomic-file.js';
import { readJsonFile } from '../../../data/files/json-file.js';
import { sealJson } from '../../../data/files/sealed-json.js';
import { TrainingError } from '../../training-error.js';
import { MatchFolder } from '../match-folder.js';
import type { MatchSettings } from '../match-settings.js';
import { type Ladder, LADDER_FORM } from './ladder-file.js';

/** The file of a ladder in its folder. */
export const LADDER_FILE = 'ladder.json';

/** A ladder on disk: `ladder.json`, and `matches/` with a folder for each match. The caller holds its lock. */
export class LadderFolder {
  private readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** Whether the folder has a ladder. */
  exists(): Promise<boolean> {
    return exists(join(this.folder, LADDER_FILE));
  }

  /**
   * Reads the folder's ladder.
   *
   * @throws TrainingError `ladder-missing`, `ladder-damaged`; DataError `file-unreadable`, `file-too-large`.
   */
  async read(): Promise<Ladder> {
    const path = join(this.folder, LADDER_FILE);
    const ladder = await readJsonFile(path, 'ladder', LADDER_FORM);
    if (ladder !== null) return ladder;
    throw new TrainingError('ladder-missing', `expected a ladder in ${this.folder}: no ${path}`);
  }

  /**
   * Replaces the folder's ladder.
   *
   * @throws DataError `disk-full`, `write-failed`.
   */
  async write(ladder: Ladder): Promise<void> {
    await removeStaleTemporaries(this.folder);
    await writeFileAtomic(join(this.folder, LADDER_FILE), sealJson(ladder, 'file'));
  }

  /**
   * Opens the folder of a match of two players, given by their indices.
   *
   * @throws as `MatchFolder.open`.
   */
  openMatch(first: number, second: number, settings: MatchSettings): Promise<MatchFolder> {
    const name = [first, second].map((player) => String(player).padStart(4, '0')).join('-');
    return MatchFolder.open(join(this.folder, 'matches', name), settings);
  }
}

/**
 * Checks a `ladder.json`.
 *
 * @throws as `LadderFolder.read`.
 */
export async function checkLadder(path: string): Promise<boolean> {
  return (await readJsonFile(path, 'ladder', LADDER_FORM)) !== null;
}
