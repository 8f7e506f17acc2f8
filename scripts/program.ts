import { Command, Option } from '@commander-js/extra-typings';
import { avoidBundles } from '../env/processes/compiled-module.js';
import { softwareVersion } from '../training/software-version.js';
import { addLazyCommands, type LazyCommand } from './usage/lazy-commands.js';
import { type Loudness, type Output, outputAt } from './output.js';
import { describeOption } from './usage/option-text.js';
import {
  DATA_PACKAGES,
  POOL_PACKAGES,
  REPORT_PACKAGES,
  RUN_PACKAGES,
  SEARCHED_DATA_PACKAGES,
  TRAINING_PACKAGES,
} from './usage/package-sets.js';
import { throwUsageErrors } from './usage/parse-errors.js';
import { expectFewWords, expectFullWords } from './usage/word-checks.js';
import { expectWorkingFolder } from './usage/working-folder.js';

/** The commands in the order of the help; one file in a folder of `commands/` each. */
const COMMANDS: Readonly<Record<string, LazyCommand>> = {
  setup: {
    summary: 'set up native TensorFlow, for fast training (once; about 1 GB of disk)',
    load: async () => (await import('./commands/installation/setup-command.js')).defineSetup,
    packages: TRAINING_PACKAGES,
  },
  doctor: {
    summary: 'show versions, backend, processor and cache; exit code 1 if a prerequisite is missing',
    load: async () => (await import('./commands/installation/doctor-command.js')).defineDoctor,
  },
  perft: {
    summary: 'count the positions a number of plies below a position',
    load: async () => (await import('./commands/positions/perft-command.js')).definePerft,
  },
  replay: {
    summary: 'replay a record of moves and check that they are legal',
    load: async () => (await import('./commands/positions/replay-command.js')).defineReplay,
  },
  show: {
    summary: 'draw a position',
    load: async () => (await import('./commands/positions/show-command.js')).defineShow,
  },
  play: {
    summary: 'play a game in the terminal, against an agent or another person',
    load: async () => (await import('./commands/positions/play-command.js')).definePlay,
  },
  analyze: {
    summary: 'evaluate a position (value, best move, principal variation), or judge every move of a game',
    load: async () => (await import('./commands/positions/analyze-command.js')).defineAnalyze,
  },
  engine: {
    summary: 'play and analyse over a text protocol like UCI, for boards and match programs',
    load: async () => (await import('./commands/serving/engine-command.js')).defineEngine,
  },
  'engine-test': {
    summary: 'check that a program follows the engine protocol',
    load: async () => (await import('./commands/serving/engine-test-command.js')).defineEngineTest,
  },
  problems: {
    summary: 'make problems, positions with one winning move, from games of an agent against itself',
    load: async () => (await import('./commands/positions/problems-command.js')).defineProblems,
  },
  serve: {
    summary: 'serve the web page on this machine: play, analyse and learn in a browser',
    load: async () => (await import('./commands/serving/serve-command.js')).defineServe,
  },
  quickstart: {
    summary: 'set up, train a small network by self-play, measure it, export it (a few minutes)',
    load: async () => (await import('./commands/training/quickstart-command.js')).defineQuickstart,
    packages: TRAINING_PACKAGES,
  },
  selfplay: {
    summary: 'play games of a network, or of an agent, against itself and write them to shards',
    load: async () => (await import('./commands/training/selfplay-command.js')).defineSelfplay,
    packages: DATA_PACKAGES,
  },
  learn: {
    summary: 'learn from shards of games: make a checkpoint, from another one or from scratch',
    load: async () => (await import('./commands/training/learn-command.js')).defineLearn,
    packages: TRAINING_PACKAGES,
  },
  average: {
    summary: 'average the weights of checkpoints of one training into a new checkpoint',
    load: async () => (await import('./commands/training/average-command.js')).defineAverage,
    packages: TRAINING_PACKAGES,
  },
  train: {
    summary: 'train a network by self-play: games, learning, evaluation, generation by generation',
    load: async () => (await import('./commands/training/train-command.js')).defineTrain,
    packages: TRAINING_PACKAGES,
  },
  watch: {
    summary: 'watch a run live from another terminal: stage, rates, losses, Elo, last game, time left',
    load: async () => (await import('./commands/training/watch-command.js')).defineWatch,
    packages: RUN_PACKAGES,
  },
  worker: {
    summary: 'play games for a run on another machine, over a NATS server',
    load: async () => (await import('./commands/pool/worker-command.js')).defineWorker,
    packages: POOL_PACKAGES,
  },
  pool: {
    summary: 'set up a NATS server for many machines, and show the state of its run',
    load: async () => (await import('./commands/pool/pool-command.js')).definePool,
    packages: POOL_PACKAGES,
  },
  config: {
    summary: 'show configurations of runs, and their JSON Schema',
    load: async () => (await import('./commands/training/config-command.js')).defineConfig,
  },
  evaluate: {
    summary: 'play a match between two agents: each opening twice with colours exchanged, Elo with its error',
    load: async () => (await import('./commands/matches/evaluate-command.js')).defineEvaluate,
  },
  ladder: {
    summary: 'rate checkpoints and fixed agents by matches with each other, and draw the ratings',
    load: async () => (await import('./commands/matches/ladder-command.js')).defineLadder,
    packages: RUN_PACKAGES,
  },
  openings: {
    summary: 'make books of balanced openings for matches',
    load: async () => (await import('./commands/matches/openings-command.js')).defineOpenings,
  },
  accuracy: {
    summary: 'measure how often agents find a best move in solved positions',
    load: async () => (await import('./commands/matches/accuracy-command.js')).defineAccuracy,
  },
  regret: {
    summary: 'measure how far the learning targets of searches are from the best moves',
    load: async () => (await import('./commands/matches/regret-command.js')).defineRegret,
    packages: SEARCHED_DATA_PACKAGES,
  },
  export: {
    summary:
      'write a network for other programs: TensorFlow.js, ONNX and a specification of its inputs and outputs',
    load: async () => (await import('./commands/training/export-command.js')).defineExport,
    packages: TRAINING_PACKAGES,
  },
  report: {
    summary: 'write a page about a run, or about two: learning curves, matches, games, settings',
    load: async () => (await import('./commands/training/report-command.js')).defineReport,
    packages: REPORT_PACKAGES,
  },
  inspect: {
    summary: 'describe a shard, a folder of shards, a checkpoint, a run or a file of episodes',
    load: async () => (await import('./commands/data/inspect-command.js')).defineInspect,
    packages: RUN_PACKAGES,
  },
  study: {
    summary: 'count what happens in played games of Gess: results, ends, pieces, the worth of stones',
    load: async () => (await import('./commands/positions/study-command.js')).defineStudy,
    packages: DATA_PACKAGES,
  },
  data: {
    summary: 'verify, merge, split, rescore and convert datasets: folders of shards',
    load: async () => (await import('./commands/data/data-command.js')).defineData,
  },
  'env-server': {
    summary: 'serve environments to other programs: JSON lines on stdin, answers on stdout',
    load: async () => (await import('./commands/serving/env-server-command.js')).defineEnvServer,
  },
  distill: {
    summary: 'learn a pattern network, for alpha-beta search, from judged positions',
    load: async () => (await import('./commands/training/distill-command.js')).defineDistill,
    packages: DATA_PACKAGES,
  },
  tune: {
    summary: 'fit the weights of the evaluation of Gess to the results of games',
    load: async () => (await import('./commands/training/tune-command.js')).defineTune,
    packages: DATA_PACKAGES,
  },
  completion: {
    summary: 'print a script that completes commands, options and their values in a shell',
    load: async () => (await import('./commands/installation/completion-command.js')).defineCompletion,
  },
  bench: {
    summary: 'measure speed: start, rules, environment, search, self-play, training',
    load: async () => (await import('./commands/installation/bench-command.js')).defineBench,
    packages: RUN_PACKAGES,
  },
};

/**
 * The command line, `gess <command>`, writing to `streams`.
 *
 * Parse it with `parseAsync`, which rejects with a `UsageError` for invalid usage, and with a `CommanderError` after
 * `--help` and `--version`. It prints no errors itself.
 */
export function createProgram(streams: Output): Command<[], { quiet?: true; verbose?: true; debug?: true }> {
  const loudness = (): Loudness =>
    program.opts().quiet === true ? 'quiet' : program.opts().verbose === true ? 'verbose' : 'usual';
  const output = outputAt(streams, loudness);
  const program = new Command('gess')
    .description('Self-play reinforcement learning for Gess, Quess and Connect Four')
    .version(softwareVersion(), '--version', 'show the version')
    .addOption(
      new Option('--quiet', 'print results and errors only: no progress, no messages').conflicts('verbose'),
    )
    .option('--verbose', 'print more messages, with the time of day')
    .option('--debug', 'show stack traces')
    .configureHelp({ optionDescription: describeOption })
    .configureOutput({
      writeOut: (text) => {
        output.result(text.trimEnd());
      },
      writeErr: (text) => {
        output.message(text.trimEnd());
      },
      outputError: () => undefined,
    });
  throwUsageErrors(program);
  const parse = program.parseAsync.bind(program);
  program.parseAsync = async (words = process.argv, options) => {
    expectFewWords(program, words);
    return parse(words, options);
  };
  program.hook('preAction', async (_program, command) => {
    if (program.opts().debug === true) avoidBundles();
    expectFullWords(command);
    expectWorkingFolder();
    const { loadNamedGames } = await import('./options/game-options.js');
    await loadNamedGames(command);
  });
  addLazyCommands(program, output, COMMANDS);
  return program;
}
