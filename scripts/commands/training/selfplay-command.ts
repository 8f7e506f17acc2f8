import { join } from 'node:path';
import { type Command, Option } from '@commander-js/extra-typings';
import { makeFolder, removeStaleTemporaries } from '../../../data/files/atomic-file.js';
import { expectPlaceForOutput } from '../../../data/files/output-folder.js';
import { lockFolder } from '../../../data/files/lock.js';
import { countOf } from '../../../env/text/count-of.js';
import type { RunConfig } from '../../../training/config/run-config.js';
import { readModelFile, selfPlayModelPath } from '../../../training/export/model-file.js';
import { expectAgent } from '../../../training/export/open-agent.js';
import { WORKERS_FILE } from '../../../training/run/run-paths.js';
import { sumEffort } from '../../../training/self-play/job-effort.js';
import { sumStatistics } from '../../../training/self-play/self-play-statistics.js';
import { type GameSource, planShards, type ShardPlan } from '../../../training/self-play/shard-job.js';
import { expectNoFurtherShards, type ShardReport } from '../../../training/self-play/shard-play.js';
import { expectTeacher } from '../../../training/self-play/teacher.js';
import { softwareVersion } from '../../../training/software-version.js';
import type { WorkerPool } from '../../../training/workers/worker-pool.js';
import { expectNoIdlePoolOptions } from '../../options/idle-options.js';
import { expectPool, openPool } from '../../options/open-pool.js';
import type { OptionsOf } from '../../usage/lazy-commands.js';
import { configOrDefaults, presetHelp, presetOption, setOption } from '../../options/config-options.js';
import { configGameOption, rulesOption } from '../../options/game-options.js';
import { positiveNumber, processNumber, seedNumber } from '../../options/numbers.js';
import {
  anyProcessorOption,
  poolOption,
  type PoolWords,
  replayShareOption,
} from '../../options/pool-option.js';
import type { Output } from '../../output.js';
import { createProgress } from '../../progress/progress.js';
import { listenForStop } from '../../stopping/stop-signal.js';
import { UsageError } from '../../usage/usage-error.js';
import { createGame } from '../../../env/games.js';
import { messenger } from '../../output.js';

const declareFlags = (command: Command) =>
  command
    .option(
      '--model <path>',
      'network that plays: the name of a shipped one such as gess or gess-int8, an ONNX file, or the folder of a checkpoint or an export',
    )
    .option('--agent <text>', 'agent that plays instead, such as alphabeta:depth=2')
    .requiredOption('--games <n>', 'number of games', positiveNumber)
    .requiredOption('--out <folder>', 'folder of the shards; existing ones are kept')
    .option('--seed <n>', 'seed of all random streams (default: that of the configuration, or 1)', seedNumber)
    .option(
      '--processes <n>',
      'number of processes that play (default: that of the configuration, or 2)',
      processNumber,
    )
    .option('--json', 'print one JSON object')
    .addOption(poolOption)
    .addOption(anyProcessorOption)
    .addOption(replayShareOption)
    .addHelpText('after', presetHelp())
    .addOption(
      new Option(
        '--config <file>',
        'configuration of a run (JSON): game, seed, selfPlay and warmStart are used',
      ).conflicts('preset'),
    )
    .addOption(presetOption)
    .addOption(setOption)
    .addOption(configGameOption)
    .option('--rules <text>', `${rulesOption.description} (default: those of the configuration)`);

type SelfPlayOptions = OptionsOf<typeof declareFlags>;

async function sourceOf({ model, agent }: SelfPlayOptions, config: RunConfig): Promise<GameSource> {
  if (model !== undefined) {
    const { selfPlay } = config;
    return {
      kind: 'network',
      modelPath: await selfPlayModelPath(model, selfPlay.precision),
      config: selfPlay,
    };
  }
  return { kind: 'agent', config: { ...config.warmStart, ...(agent !== undefined && { agent }) } };
}

async function planOf(options: SelfPlayOptions, config: RunConfig): Promise<ShardPlan> {
  const { id, rules: own } = config.game;
  const { game = id, rules = game === id ? own : 'default' } = options;
  return {
    folder: options.out,
    game: { id: game, rules },
    source: await sourceOf(options, config),
    seed: options.seed ?? config.seed,
    generation: 0,
    firstGame: 0,
    games: options.games,
    gamesPerShard: config.selfPlay.gamesPerShard,
    softwareVersion: softwareVersion(),
  };
}

/** The object of `--json`. Effort covers the games played by this command only. */
function summarize(
  reports: readonly ShardReport[],
  games: number,
  seconds: number,
): { readonly finished: boolean } & Record<string, unknown> {
  const played = reports.filter(({ effort }) => effort !== null);
  const { networkEvaluations, cacheHits } = sumEffort(reports);
  const { positions } = sumStatistics(played.map(({ statistics }) => statistics));
  const total = sumStatistics(reports.map(({ statistics }) => statistics));
  return {
    finished: total.games === games,
    ...total,
    shards: reports.map(({ path }) => path),
    shardsFound: reports.length - played.length,
    seconds,
    networkEvaluations,
    cacheHits,
    networkEvaluationsPerSecond: networkEvaluations / seconds,
    positionsPerSecond: positions / seconds,
  };
}

function describe(reports: readonly ShardReport[], options: SelfPlayOptions): string {
  const total = sumStatistics(reports.map(({ statistics }) => statistics));
  return [
    `${total.games} of ${options.games} games, ${countOf(total.positions, 'position')} in ${countOf(reports.length, 'shard')} in ${options.out}`,
    `${total.wins} won by the first player, ${total.draws} drawn, ${total.losses} lost, ` +
      `${total.truncated} without a result (ply limit)`,
    `${(total.plies / Math.max(1, total.games)).toFixed(1)} plies per game, from ${total.shortestPlies} to ${total.longestPlies}`,
  ].join('\n');
}

/** Plays the missing shards of the plan; `signal` stops early. */
async function playPlan(
  output: Output,
  plan: ShardPlan,
  options: PoolWords & { readonly processes: number },
  signal: AbortSignal,
): Promise<readonly ShardReport[]> {
  const { source, game } = plan;
  // Checked before anything is written, so that a wrong word leaves no folder behind.
  const played = createGame(game.id, game.rules);
  if (source.kind === 'network') {
    await readModelFile(source.modelPath, played);
    await expectTeacher(source.config.teacher, game);
  } else {
    await expectAgent(source.config.agent, played);
  }
  await expectPool(options);
  await expectPlaceForOutput(plan.folder, 'dataset');
  await makeFolder(plan.folder);
  const lock = await lockFolder(plan.folder);
  const progress = createProgress(output, 'games');
  let pool: WorkerPool | undefined;
  try {
    const jobs = await planShards(plan);
    await expectNoFurtherShards(plan.folder, jobs);
    pool = await openPool({
      ...options,
      book: join(plan.folder, WORKERS_FILE),
      onMessage: messenger(output),
    });
    await removeStaleTemporaries(plan.folder);
    progress.start(`gess: ${countOf(plan.games, 'game')}`);
    progress.update(0, plan.games);
    const onGame = (finished: number, planned: number): void => {
      progress.update(finished, planned);
    };
    return await pool.playShards(jobs, { signal, onGame });
  } finally {
    progress.stop();
    await pool?.dispose();
    lock.release();
  }
}

async function runSelfPlay(output: Output, options: SelfPlayOptions): Promise<void> {
  const config = await configOrDefaults({ ...options, game: undefined });
  const stop = listenForStop(output, {
    hint: 'Run the same command to resume.',
    action: 'finishing the games of the shards in progress, which can take minutes',
  });
  try {
    const startMs = performance.now();
    const processes = options.processes ?? config.selfPlay.processes;
    const words = { ...options, processes };
    const reports = await playPlan(output, await planOf(options, config), words, stop.signal);
    const seconds = (performance.now() - startMs) / 1000;
    const summary = summarize(reports, options.games, seconds);
    if (summary.finished) stop.done();
    output.result(options.json === true ? JSON.stringify(summary) : describe(reports, options));
  } finally {
    stop.dispose();
  }
}

/** `gess selfplay`: plays games for training and writes them to shards. */
export function defineSelfplay(command: Command, output: Output): void {
  const selfplay = declareFlags(command);
  selfplay.action(async (options) => {
    expectNoIdlePoolOptions(selfplay, options);
    if ((options.model === undefined) === (options.agent === undefined)) {
      const code = options.model === undefined ? 'option-missing' : 'option-conflict';
      throw new UsageError(selfplay, code, 'expected one of --model and --agent');
    }
    await runSelfPlay(output, options);
  });
}
