import { removeFolderAtomic } from '../../data/files/atomic-file.js';
import { createGame } from '../../env/games.js';
import { defaultOpenings, nameOpenings } from '../matches/default-openings.js';
import { MatchFolder } from '../matches/match-folder.js';
import type { MatchGame } from '../matches/match-game.js';
import type { MatchResult } from '../matches/match-result.js';
import { runMatch } from '../matches/match-run.js';
import { MatchSettings, type OpeningSettings } from '../matches/match-settings.js';
import type { Run } from '../run/run-folder.js';
import { type RunPaths, runPaths } from '../run/run-paths.js';
import { TrainingError } from '../training-error.js';
import type { MatchStageServices } from './loop-services.js';

/** Match settings that runs leave at their defaults. */
const DEFAULTS = MatchSettings.pick({ timeMarginMs: true, sprt: true }).parse({});

/** A match of a run. */
export interface MatchOfRun extends Pick<MatchSettings, 'games' | 'seed'> {
  readonly generation: number;
  /** Identifies the opponent among those of the generation. */
  readonly key: string;
  /** Texts of the agents, with checkpoint paths from `paths`. */
  readonly agents: (paths: RunPaths) => readonly [agent: string, opponent: string];
  /** Careful random plies before each pair of games; undefined: the openings of `defaultOpenings`. */
  readonly openingPlies: number | undefined;
}

/** A finished match of a run. */
export interface ResultOfRun {
  readonly result: MatchResult;
  readonly openings: OpeningSettings;
  /** Thinking time in seconds, summed over processes. */
  readonly seconds: number;
}

/** Opens the folder of a match; games with earlier settings of the run are removed. */
async function openMatch(folder: string, settings: MatchSettings): Promise<MatchFolder> {
  try {
    return await MatchFolder.open(folder, settings);
  } catch (error) {
    if (!(error instanceof TrainingError) || error.code !== 'match-changed') throw error;
    await removeFolderAtomic(folder);
    return MatchFolder.open(folder, settings);
  }
}

function thinkingSeconds(games: readonly MatchGame[]): number {
  return games.reduce((sum, { moves }) => sum + moves.reduce((part, { ms }) => part + ms, 0), 0) / 1000;
}

/**
 * Plays the missing games of a match of a run, and reports progress. Each game is written to the folder of the match
 * when it ends.
 *
 * @returns null if the signal came before the end of the match.
 * @throws as `MatchFolder`, `runMatch` and `WorkerPool.playMatch` do.
 */
export async function playMatchOfRun(
  { config, paths }: Run,
  { pool, observer, signal }: Pick<MatchStageServices, 'pool' | 'observer' | 'signal'>,
  { generation, key, agents, openingPlies, games: count, seed }: MatchOfRun,
): Promise<ResultOfRun | null> {
  const { id, rules } = createGame(config.game.id, config.game.rules);
  const openings =
    openingPlies === undefined ? await defaultOpenings({ id, rules }) : { plies: openingPlies };
  const common = { ...DEFAULTS, game: { id, rules }, games: count, seed };
  // The settings omit the folders of the run and of the book, so that both can be moved.
  const [agent, opponent] = agents(runPaths(''));
  const stored = { ...common, agent, opponent, openings: nameOpenings(openings) };
  const match = await openMatch(paths.match(generation, key), stored);
  let games: readonly MatchGame[] = [];
  const [player, other] = agents(paths);
  const { finished, result } = await runMatch(
    { ...common, agent: player, opponent: other, openings },
    {
      processes: pool.processes,
      play: (jobs, listener, ended) => pool.playMatch(jobs, listener, ended),
      ...(await match.services()),
      keep: async (game) => {
        await match.add(game);
        observer.onProgress(games.length, count);
      },
      onReport: (_, all) => {
        games = all;
      },
      signal,
    },
  );
  if (!finished || result === null) return null;
  return { result, openings: nameOpenings(openings), seconds: thinkingSeconds(games) };
}
