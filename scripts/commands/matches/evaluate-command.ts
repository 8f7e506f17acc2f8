import { type Command, Option } from '@commander-js/extra-typings';
import { namesProgram } from '../../../agents/agent-spec.js';
import { makeFolder } from '../../../data/files/atomic-file.js';
import { expectPlaceForOutput } from '../../../data/files/output-folder.js';
import { type Lock, lockFolder } from '../../../data/files/lock.js';
import { createGame } from '../../../env/games.js';
import { quote } from '../../../env/text/quoted-text.js';
import { expectAgent } from '../../../training/export/open-agent.js';
import { MatchFolder } from '../../../training/matches/match-folder.js';
import type { MatchGame } from '../../../training/matches/match-game.js';
import { processesFor } from '../../../training/matches/match-job.js';
import { type MatchReport, planMatch, runMatch } from '../../../training/matches/match-run.js';
import { MAX_GAMES } from '../../../training/config/groups/setting-limits.js';
import type { MatchSettings } from '../../../training/matches/match-settings.js';
import { TrainingError } from '../../../training/training-error.js';
import { coresFor } from '../../../training/workers/core-binding.js';
import type { WorkerPool } from '../../../training/workers/worker-pool.js';
import { expectPool, openPool } from '../../options/open-pool.js';
import type { OptionsOf } from '../../usage/lazy-commands.js';
import { expectOwnGame, gameOption, moduleFlag, rulesOption } from '../../options/game-options.js';
import { expectNoIdleOptions, expectNoIdlePoolOptions, isGiven } from '../../options/idle-options.js';
import {
  eloPair,
  errorProbability,
  type MatchOptions,
  matchProcessesOption,
  matchSeedOption,
  matchSettings,
  openingPliesOption,
  openingsOption,
  timeMarginOption,
} from '../../options/match-options.js';
import { evenNumber } from '../../options/numbers.js';
import { anyProcessorOption, poolOption, replayShareOption } from '../../options/pool-option.js';
import { createMatchTable } from '../../progress/match-table.js';
import { describeMatch } from '../../progress/match-text.js';
import type { Output } from '../../output.js';
import { listenForStop } from '../../stopping/stop-signal.js';
import { shellWord } from '../../text/shell-word.js';
import { UsageError } from '../../usage/usage-error.js';
import { messenger } from '../../output.js';

const declareFlags = (command: Command) =>
  command
    .option('--agent <text>', 'agent such as mcts:model=FILE.onnx,simulations=64 or alphabeta:depth=2')
    .option('--opponent <text>', 'its opponent, such as careful, greedy, alphabeta:depth=1')
    .option('--games <n>', 'number of games, even; with --sprt, the maximum', evenNumber(MAX_GAMES), 40)
    .addOption(matchSeedOption)
    .addOption(openingsOption)
    .addOption(openingPliesOption)
    .option('--out <folder>', 'save each game in this folder as it ends, so that the match can be resumed')
    .option('--resume', 'resume the match in the folder of --out; --games may change')
    .option('--run-programs', 'with --resume: run the programs that the match in the folder names')
    .option(
      '--sprt <elo0,elo1>',
      'stop as soon as a sequential test decides between two Elo differences',
      eloPair,
    )
    .addOption(
      new Option('--sprt-scale <name>', 'the scale of --sprt')
        .choices(['elo', 'normalized'] as const)
        .default('elo'),
    )
    .option('--alpha <p>', 'probability of accepting ELO1 where ELO0 is true', errorProbability, 0.05)
    .option('--beta <p>', 'probability of accepting ELO0 where ELO1 is true', errorProbability, 0.05)
    .addOption(timeMarginOption)
    .addOption(matchProcessesOption)
    .addOption(new Option('--bind-cores', 'bind each process to a core of its own (Linux)').conflicts('pool'))
    .addOption(poolOption)
    .addOption(anyProcessorOption)
    .addOption(replayShareOption)
    .option('--json', 'print one JSON object')
    .addOption(gameOption)
    .addOption(rulesOption);

type EvaluateOptions = OptionsOf<typeof declareFlags>;

/** Options for playing and showing the match, which do not change its settings. */
const PLAY_OPTIONS = [
  'out',
  'processes',
  'bindCores',
  'json',
  'pool',
  'anyProcessor',
  'replayShare',
] as const;
type PlayOptions = Pick<EvaluateOptions, (typeof PLAY_OPTIONS)[number]>;

/** Plans a match and opens its agents before anything is written, so that a wrong word leaves no folder behind. */
async function expectPlayable(settings: MatchSettings): Promise<void> {
  const game = createGame(settings.game.id, settings.game.rules);
  await planMatch(settings);
  for (const text of [settings.agent, settings.opponent]) await expectAgent(text, game);
}

/** Locks and opens the folder of a match; both are null without a folder. The caller releases the lock. */
async function openFolder(
  folder: string | undefined,
  settings: MatchSettings,
): Promise<{ readonly match: MatchFolder | null; readonly lock: Lock | null }> {
  if (folder === undefined) return { match: null, lock: null };
  await expectPlaceForOutput(folder, 'match');
  if (!(await MatchFolder.has(folder))) await expectPlayable(settings);
  await makeFolder(folder);
  const lock = await lockFolder(folder);
  try {
    const match = await MatchFolder.open(folder, settings);
    return { match, lock };
  } catch (error) {
    lock.release();
    throw error;
  }
}

function resumeHint({ out }: PlayOptions, { game, agent, opponent }: MatchSettings): string {
  if (out === undefined) return 'Without --out the match cannot be resumed.';
  const programs = [agent, opponent].some(namesProgram) ? ' --run-programs' : '';
  return `Resume with: gess evaluate --out ${shellWord(out)} --resume${moduleFlag(game.id)}${programs}`;
}

/** Says how many of the games in the folder do not count, because the match now has fewer. */
function tellSurplus(output: Output, games: number, stored: readonly MatchGame[]): void {
  const surplus = stored.filter(({ pair }) => 2 * pair >= games).length;
  if (surplus === 0) return;
  output.message(`gess: of ${stored.length} stored games, ${surplus} do not count with --games ${games}`);
}

/** Plays the match, shows its progress, and returns its last state. */
async function playMatch(
  output: Output,
  settings: MatchSettings,
  options: PlayOptions,
): Promise<MatchReport> {
  const local = processesFor(settings, options.processes);
  const cores = options.bindCores === true ? coresFor(local) : undefined;
  await expectPool(options);
  const { match, lock } = await openFolder(options.out, settings);
  const stop = listenForStop(output, {
    hint: resumeHint(options, settings),
    action: 'stopping; games in progress are abandoned',
  });
  const table = createMatchTable(output, settings.games);
  let pool: WorkerPool | undefined;
  try {
    pool = await openPool({
      ...options,
      processes: local,
      cores,
      book: null,
      onMessage: messenger(output),
    });
    const { processes } = pool;
    const playing = pool;
    const stored = await match?.services();
    tellSurplus(output, settings.games, stored?.finished ?? []);
    output.message(`gess: ${settings.agent} against ${settings.opponent}`);
    const report = await runMatch(settings, {
      processes,
      play: (jobs, listener, signal) => playing.playMatch(jobs, listener, signal),
      ...stored,
      onReport: (state) => {
        table.update(state);
      },
      signal: stop.signal,
    });
    if (report.finished) stop.done();
    return report;
  } finally {
    table.stop();
    stop.dispose();
    await pool?.dispose();
    lock?.release();
  }
}

async function runEvaluate(output: Output, settings: MatchSettings, options: PlayOptions): Promise<void> {
  const report = await playMatch(output, settings, options);
  if (options.json === true) {
    const { agent, opponent, seed, openings } = settings;
    const { id: game, rules } = createGame(settings.game.id, settings.game.rules);
    const { result, ...state } = report;
    output.result(JSON.stringify({ game, rules, agent, opponent, seed, ...result, ...state, openings }));
  } else output.result(describeMatch(settings, report));
  if (!report.finished) output.message(`gess: stopped. ${resumeHint(options, settings)}`);
}

/** @throws TrainingError `match-program`: the folder may come from an untrusted source. */
function expectNoPrograms({ agent, opponent }: MatchSettings, folder: string): void {
  const program = [agent, opponent].find(namesProgram);
  if (program === undefined) return;
  throw new TrainingError(
    'match-program',
    `the match in ${folder} runs the program of agent ${quote(program)}; add --run-programs to run it`,
  );
}

/** `gess evaluate`: a match between two agents, with Elo. */
export function defineEvaluate(command: Command, output: Output): void {
  const evaluate = declareFlags(command);
  evaluate.action(async (options) => {
    const { out, agent, opponent } = options;
    expectNoIdlePoolOptions(evaluate, options);
    if (options.resume === true) {
      if (out === undefined)
        throw new UsageError(evaluate, 'option-missing', 'expected --out, the folder of the match to resume');
      const known = new Set<string>([...PLAY_OPTIONS, 'resume', 'runPrograms', 'games', 'game']);
      const other = evaluate.options.find((each) => {
        const name = each.attributeName();
        return isGiven(evaluate, name) && !known.has(name);
      });
      if (other !== undefined) {
        const expected = `expected --resume without ${other.long!}: the match in ${out} has its own`;
        throw new UsageError(evaluate, 'option-conflict', expected);
      }
      const found = await MatchFolder.readSettings(out);
      expectOwnGame(evaluate, found.game.id, `the match in ${out}`);
      if (options.runPrograms !== true) expectNoPrograms(found, out);
      const isLonger = isGiven(evaluate, 'games');
      return runEvaluate(output, isLonger ? { ...found, games: options.games } : found, options);
    }
    if (agent === undefined || opponent === undefined) {
      throw new UsageError(evaluate, 'option-missing', 'expected --agent and --opponent, or --resume');
    }
    if (out !== undefined && (await MatchFolder.has(out))) {
      throw new TrainingError('match-exists', `${out} has a match already; add --resume to resume it`);
    }
    if (options.sprt === undefined)
      expectNoIdleOptions(evaluate, ['sprtScale', 'alpha', 'beta'], 'with --sprt only');
    expectNoIdleOptions(evaluate, ['runPrograms'], 'with --resume only');
    const match: MatchOptions = { ...options, agent, opponent };
    await runEvaluate(output, await matchSettings(match), options);
  });
}
