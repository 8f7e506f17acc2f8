import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { runGess } from '../../scripts/captured-output.js';
import { digests, filesBelow, matches, TINY_CONFIG, train } from './tiny-run.js';

/** Paths of half-written files, which no reader should see. */
export function halfWritten(run: string): string[] {
  return filesBelow(run).filter((path) => /\.tmp(\/|$)/.test(path));
}

/** Without the manifests of checkpoints, which name the configuration with which the run began. */
function ofAnyConfiguration(all: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(all).filter(([path]) => !/checkpoints.*manifest\.json$/.test(path)),
  );
}

const CONFIG_NAME = 'config.json';
const RUN_NAME = 'calm';

/** An uninterrupted run. Interrupted runs must end with the same bytes and matches. */
export class CalmRun {
  /** A temporary folder for this run and those that tests compare with it. */
  readonly folder: string;
  /** Path of `TINY_CONFIG` as a file. */
  readonly config: string;
  /** Folder of the run. */
  readonly path: string;
  /** SHA-256 of its shards and checkpoints, by path. */
  readonly digests: Readonly<Record<string, string>>;

  private constructor(folder: string) {
    this.folder = folder;
    this.config = join(folder, CONFIG_NAME);
    this.path = join(folder, RUN_NAME);
    this.digests = digests(this.path);
  }

  /** Trains it to its end in this process, in a temporary folder. */
  static async train(): Promise<CalmRun> {
    const folder = mkdtempSync(join(tmpdir(), 'gess-run-'));
    const [config, path] = [join(folder, CONFIG_NAME), join(folder, RUN_NAME)];
    writeFileSync(config, JSON.stringify(TINY_CONFIG));
    const { messages } = await runGess('train', '--config', config, '--out', path);
    expect(messages.join('\n')).not.toContain('    at ');
    return new CalmRun(folder);
  }

  /** Copies it to a folder of this name beside it; returns the path. */
  copy(name: string): string {
    const run = join(this.folder, name);
    cpSync(this.path, run, { recursive: true });
    return run;
  }

  /** Fails unless a finished run has the same shards, checkpoints and matches. */
  expectSame(run: string): void {
    expect(digests(run)).toEqual(this.digests);
    expect(matches(run)).toEqual(matches(this.path));
  }

  /** The same for a run with other settings, of those that change no bytes. */
  expectSameOfOtherConfiguration(run: string): void {
    expect(ofAnyConfiguration(digests(run))).toEqual(ofAnyConfiguration(this.digests));
    expect(matches(run)).toEqual(matches(this.path));
  }

  /** Resumes a run, and fails unless it ends like this one. */
  async expectToFinish(run: string, ...options: string[]): Promise<void> {
    const { code, stderr } = await train('--config', this.config, '--out', run, '--resume', ...options);
    expect(stderr).not.toContain('    at ');
    expect(code, stderr).toBe(0);
    this.expectSame(run);
  }

  /** Removes the folder. */
  remove(): void {
    rmSync(this.folder, { recursive: true });
  }
}
