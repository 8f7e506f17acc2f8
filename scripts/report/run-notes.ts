import { basename, dirname, resolve } from 'node:path';
import { markdownTable } from '../../env/text/markdown-table.js';
import type { RunConfig } from '../../training/config/run-config.js';
import { summarizeRun, type RunSummary } from '../../training/run/run-summary.js';
import { readRunFile } from '../../training/run/run-folder.js';
import type { EvaluationRecord } from '../../training/run/run-records.js';
import { runPaths } from '../../training/run/run-paths.js';
import { formatElo } from '../text/elo-text.js';

/** The facts about a run that the models of its checkpoints carry. */
export interface NotedRun {
  readonly config: RunConfig;
  /** Markdown for a model card: training, data and strength of the checkpoint's generation. */
  readonly notes: string;
}

function describeTraining({ config, configDigest, seed, generations }: RunSummary, last: number): string {
  const own = generations.filter(({ generation }) => generation <= last);
  const sum = (numberOf: (part: (typeof own)[number]) => number): string =>
    own.reduce((total, part) => total + numberOf(part), 0).toLocaleString('en-US');
  const { warmStart, selfPlay } = config;
  const warmGames = warmStart.games === 0 ? 'none' : `${warmStart.games} games of \`${warmStart.agent}\``;
  return markdownTable(
    ['training', ''],
    [
      ['configuration', `SHA-256 \`${configDigest}\`, seed ${seed}`],
      ['generations', `${last} of ${config.generations}`],
      ['warm start', warmGames],
      ['games', `${sum(({ games }) => games.games)}, those of the warm start included`],
      ['positions', sum(({ games }) => games.positions)],
      ['samples learnt from', sum(({ metrics }) => metrics?.learning.samples ?? 0)],
      ['search in self-play', `${selfPlay.search.simulations} simulations per move`],
    ],
  );
}

function describeStrength(
  records: readonly EvaluationRecord[],
  { game, evaluation: { simulations, openingPlies } }: RunConfig,
): string {
  const [first] = records;
  if (first === undefined) return 'It has played no match.';
  const rows = records.map((record) => [
    `\`${record.key}\``,
    ...[record.games, record.wins, record.draws, record.losses].map(String),
    formatElo(record),
  ]);
  const openings =
    openingPlies === undefined
      ? `the openings of ${game.id}`
      : `openings of ${openingPlies} careful random plies`;
  return [
    `Matches of generation ${first.generation}, ${simulations} simulations per move, from ${openings}, ` +
      'each played with both colours:',
    '',
    markdownTable(['opponent', 'games', 'won', 'drawn', 'lost', 'Elo [95 %]'], rows),
  ].join('\n');
}

/** The matches of the last generation up to `last` that played any. */
function lastMatches(records: readonly EvaluationRecord[], last: number): readonly EvaluationRecord[] {
  const known = records.filter(({ generation }) => generation <= last);
  const newest = known.reduce((most, { generation }) => Math.max(most, generation), 0);
  return known.filter(({ generation }) => generation === newest);
}

/**
 * The run in whose folder a checkpoint lies.
 *
 * @returns null if it lies elsewhere.
 * @throws errors of `summarizeRun`.
 */
export async function notedRun(checkpoint: string, generation: number): Promise<NotedRun | null> {
  const parent = dirname(resolve(checkpoint));
  const folder = dirname(parent);
  if (basename(parent) !== basename(runPaths('').checkpoints)) return null;
  if ((await readRunFile(folder)) === null) return null;
  const run = await summarizeRun(folder);
  const strength = describeStrength(lastMatches(run.evaluations, generation), run.config);
  const training = describeTraining(run, generation);
  return { config: run.config, notes: `## Training\n\n${training}\n\n## Strength\n\n${strength}` };
}
