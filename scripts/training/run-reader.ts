import { stat } from 'node:fs/promises';
import { expectUnlocked } from '../../data/files/lock.js';
import { DataError } from '../../data/data-error.js';
import type { Game } from '../../env/game.js';
import { createGame } from '../../env/games.js';
import type { RunConfig } from '../../training/config/run-config.js';
import { type LiveState, readLiveState } from '../../training/run/live/live-file.js';
import { type RunPaths, runPaths } from '../../training/run/run-paths.js';
import { type RecordKind, type RecordOf, readSoundRecords } from '../../training/run/run-record-file.js';
import { expectRunFile } from '../../training/run/run-folder.js';
import { type LastGame, LastGameReader } from './last-game.js';

/** The state of a run at one moment. */
export interface RunMoment {
  readonly folder: string;
  readonly config: RunConfig;
  readonly game: Game<unknown>;
  /**
   * `killed`: its process ended without writing its last state. `finished`: all generations are made, and nothing runs.
   */
  readonly status: 'running' | 'stopped' | 'killed' | 'failed' | 'finished' | 'waiting';
  /** The state that its process wrote last; null for a run of an older version, or before its first stage. */
  readonly live: LiveState | null;
  readonly metrics: readonly RecordOf<'metrics'>[];
  readonly evaluations: readonly RecordOf<'evaluations'>[];
  readonly lastGame: LastGame | null;
}

/** Reads the records of a file again only when it has changed. */
class CachedRecords<Kind extends RecordKind> {
  private readonly paths: RunPaths;
  private readonly kind: Kind;
  private key = '';
  private records: readonly RecordOf<Kind>[] = [];

  constructor(paths: RunPaths, kind: Kind) {
    this.paths = paths;
    this.kind = kind;
  }

  /** Skips damaged lines: a run in progress is watched, not verified. */
  async read(): Promise<readonly RecordOf<Kind>[]> {
    const found = await stat(this.paths[this.kind]).catch(() => null);
    const key = found === null ? 'none' : `${found.mtimeMs} ${found.size} ${found.ino}`;
    if (key !== this.key) this.records = await readSoundRecords(this.paths, this.kind);
    this.key = key;
    return this.records;
  }
}

/** Whether a process owns the run. */
async function isHeld(folder: string): Promise<boolean> {
  try {
    await expectUnlocked(folder);
    return false;
  } catch (error) {
    if (error instanceof DataError && error.code === 'run-locked') return true;
    throw error;
  }
}

/** Reads a run of this or another process repeatedly, without changing it. */
export class RunReader {
  readonly folder: string;
  private readonly paths: RunPaths;
  private readonly metrics: CachedRecords<'metrics'>;
  private readonly evaluations: CachedRecords<'evaluations'>;
  private lastGames: LastGameReader | undefined;

  constructor(folder: string) {
    this.folder = folder;
    this.paths = runPaths(folder);
    this.metrics = new CachedRecords(this.paths, 'metrics');
    this.evaluations = new CachedRecords(this.paths, 'evaluations');
  }

  /**
   * The run at this moment.
   *
   * @throws TrainingError `run-missing`, `run-damaged`, `run-too-new`, `config-invalid`; DataError `file-unreadable`.
   */
  async read(): Promise<RunMoment> {
    const { folder, paths } = this;
    const { config } = await expectRunFile(folder);
    const game = createGame(config.game.id, config.game.rules);
    this.lastGames ??= new LastGameReader(paths, game);
    const [live, metrics, evaluations] = [
      await readLiveState(paths.live),
      await this.metrics.read(),
      await this.evaluations.read(),
    ];
    const status = await this.statusOf(live, metrics.at(-1)?.generation ?? 0, config);
    return {
      folder,
      config,
      game,
      status,
      live,
      metrics,
      evaluations,
      lastGame: await this.lastGames.read(),
    };
  }

  private async statusOf(
    live: LiveState | null,
    newest: number,
    { generations }: RunConfig,
  ): Promise<RunMoment['status']> {
    if (await isHeld(this.folder)) return 'running';
    if (live === null) return newest >= generations ? 'finished' : 'waiting';
    if (live.state === 'finished' && newest < generations) return 'waiting';
    return live.state === 'running' ? 'killed' : live.state;
  }
}
