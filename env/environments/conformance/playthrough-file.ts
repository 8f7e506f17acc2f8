// Needs Node, to read and write files. No other module of env/ imports it.
import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import type { Game } from '../../game.js';
import { checkPlaythrough } from './conformance.js';
import type { ConformanceReport } from './finding.js';
import { formatPlaythrough, type PlaythroughOptions } from './playthrough.js';

/** Options of a playthrough file. */
export interface PlaythroughFileOptions extends PlaythroughOptions {
  /** Whether to write the file. Defaults to false: compare with the existing file. */
  readonly update?: boolean | undefined;
}

/** Compares a game with the playthrough in a file, or with `update` writes the file. */
export function checkPlaythroughFile<State>(
  game: Game<State>,
  path: string,
  { update = false, ...options }: PlaythroughFileOptions = {},
): ConformanceReport {
  if (update) {
    writeFileSync(`${path}.new`, formatPlaythrough(game, options));
    renameSync(`${path}.new`, path);
  }
  // Not a pipe or a device, which could be read without end.
  const isFile = statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  if (isFile) return checkPlaythrough(game, readFileSync(path, 'utf8'));
  const message = `expected a file ${path}, got none: write it with update`;
  const finding = { code: 'game-playthrough', message, episode: null, step: null } as const;
  return { findings: [finding], skipped: [], stepsPerSecond: null };
}
