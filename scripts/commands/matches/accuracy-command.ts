import type { Command } from '@commander-js/extra-typings';
import { createGame } from '../../../env/games.js';
import { measureAccuracy, type MoveAccuracy } from '../../../training/matches/move-accuracy.js';
import { readSolvedPositions } from '../../../training/matches/solved-positions.js';
import { expectAgent, withAgent } from '../../../training/export/open-agent.js';
import type { OptionsOf } from '../../usage/lazy-commands.js';
import { expectOwnGame, expectOwnRules, gameOption, rulesOption } from '../../options/game-options.js';
import { expectNoIdleOptions } from '../../options/idle-options.js';
import { positiveNumber, seedNumber } from '../../options/numbers.js';
import { inputPath } from '../../options/shipped-file.js';
import type { Output } from '../../output.js';
import { createProgress } from '../../progress/progress.js';
import { formatPart } from '../../../env/text/percent.js';
import { UsageError } from '../../usage/usage-error.js';

const declareFlags = (command: Command) =>
  command
    .requiredOption('--solved <file>', 'solved positions: JSON lines, docs/reference/formats.md')
    .option('--agent <texts...>', 'agents such as mcts:model=FILE.onnx,simulations=64 or alphabeta:depth=4')
    .option(
      '--run <folder>',
      'measure all networks of this run instead, without and with search, and write its accuracy.jsonl',
    )
    .option('--simulations <n>', 'MCTS simulations of the networks of a run', positiveNumber, 64)
    .option('--seed <n>', "seed of the agents' random moves", seedNumber, 1)
    .option('--json', 'print a JSON object for each agent')
    .addOption(gameOption)
    .addOption(rulesOption);

type AccuracyOptions = OptionsOf<typeof declareFlags>;

function describe(name: string, accuracy: Omit<MoveAccuracy, 'agent'>): string {
  const { positions, best, decisive, bestOfDecisive } = accuracy;
  return (
    `${name}: a best move in ${best} of ${positions} positions (${formatPart(best, positions)}), ` +
    `in ${bestOfDecisive} of the ${decisive} where not all moves are best (${formatPart(bestOfDecisive, decisive)})`
  );
}

async function measureAgents(
  output: Output,
  options: AccuracyOptions,
  agents: readonly string[],
): Promise<void> {
  const game = createGame(options.game, options.rules);
  const positions = await readSolvedPositions(inputPath(options.solved), game);
  // All before the first result, so that a wrong text prints nothing but its error.
  for (const text of agents) await expectAgent(text, game);
  const progress = createProgress(output, 'positions');
  try {
    for (const text of agents) {
      await withAgent(text, game, async (agent) => {
        progress.start(`gess: ${text}`);
        const accuracy = await measureAccuracy(agent, positions, options.seed, (done) => {
          progress.update(done, positions.length);
        });
        progress.stop();
        output.result(options.json === true ? JSON.stringify(accuracy) : describe(accuracy.agent, accuracy));
      });
    }
  } finally {
    progress.stop();
  }
}

async function measureGenerations(
  command: Command,
  output: Output,
  options: AccuracyOptions,
  folder: string,
): Promise<void> {
  // Only `--run` needs the packages that read a run's files.
  const { measureRun } = await import('../../../training/run/measures/run-accuracy.js');
  const { summarizeRun } = await import('../../../training/run/run-summary.js');
  const { config } = await summarizeRun(folder);
  const input = `the run in ${folder}`;
  expectOwnGame(command, config.game.id, input);
  const game = createGame(config.game.id, config.game.rules);
  expectOwnRules(command, game, input);
  const positions = await readSolvedPositions(inputPath(options.solved), game);
  const { simulations, seed } = options;
  const progress = createProgress(output, 'positions');
  await measureRun(folder, {
    ...{ game, positions, simulations, seed, generations: config.generations },
    onAgent: (generation, key) => {
      progress.start(`gess: generation ${generation}, ${key}`);
    },
    onPosition: (done) => {
      progress.update(done, positions.length);
    },
    onRecord: (record) => {
      progress.stop();
      const name = `generation ${record.generation}, ${record.key}`;
      output.result(options.json === true ? JSON.stringify(record) : describe(name, record));
    },
  }).finally(() => {
    progress.stop();
  });
}

/** `gess accuracy`: how often agents find a best move in solved positions. */
export function defineAccuracy(command: Command, output: Output): void {
  declareFlags(command).action(async (options) => {
    const { agent, run } = options;
    if (agent === undefined && run === undefined)
      throw new UsageError(command, 'option-missing', 'expected --agent or --run');
    if (agent === undefined) await measureGenerations(command, output, options, run!);
    else {
      expectNoIdleOptions(command, ['run', 'simulations'], 'without --agent');
      await measureAgents(output, options, agent);
    }
  });
}
