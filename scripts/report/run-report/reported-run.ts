import { basename, resolve } from 'node:path';
import type { Game } from '../../../env/game.js';
import { createGame } from '../../../env/games.js';
import { RunConfig } from '../../../training/config/run-config.js';
import { type LiveState, readLiveState } from '../../../training/run/live/live-file.js';
import { runPaths } from '../../../training/run/run-paths.js';
import { readRecords } from '../../../training/run/run-record-file.js';
import { summarizeRun, type RunSummary } from '../../../training/run/run-summary.js';
import { readableSettings } from '../../../training/config/settings-by-path.js';
import { type SampleGame, sampleGames } from './sample-games.js';
import type { RunRecords } from '../run-charts.js';

/** A run with everything that its report shows. */
export interface ReportedRun {
  /** Name of its folder. */
  readonly name: string;
  readonly game: Game<unknown>;
  readonly summary: RunSummary;
  readonly records: RunRecords;
  /** Null for a run of an older version. */
  readonly live: LiveState | null;
  readonly samples: readonly SampleGame[];
}

/**
 * Reads a run for its report.
 *
 * @throws errors of `summarizeRun`.
 */
export async function readReportedRun(folder: string): Promise<ReportedRun> {
  const paths = runPaths(folder);
  const summary = await summarizeRun(folder);
  const { config, evaluations } = summary;
  const game = createGame(config.game.id, config.game.rules);
  const records = {
    metrics: summary.generations.flatMap(({ metrics }) => metrics ?? []),
    evaluations,
    accuracies: await readRecords(paths, 'accuracies'),
    processes: config.selfPlay.processes,
  };
  return {
    name: basename(resolve(folder)),
    game,
    summary,
    records,
    live: await readLiveState(paths.live),
    samples: await sampleGames(paths, game, evaluations),
  };
}

/** A setting by its path, in some configurations; undefined where a configuration lacks it. */
export interface SettingRow {
  readonly path: string;
  readonly values: readonly (string | undefined)[];
}

/** The settings that are not the same in all configurations. */
export function differingSettings(configs: readonly RunConfig[]): readonly SettingRow[] {
  const all = configs.map((config) => readableSettings(config));
  const paths = new Set(all.flatMap((settings) => [...settings.keys()]));
  return [...paths].flatMap((path) => {
    const values = all.map((settings) => settings.get(path)).map((value) => value?.toString());
    return new Set(values).size > 1 ? [{ path, values }] : [];
  });
}

/** The default configuration. */
export function defaultConfig(): RunConfig {
  return RunConfig.parse({});
}
