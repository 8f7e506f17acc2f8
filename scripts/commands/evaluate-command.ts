import type { Command } from '@commander-js/extra-typings';
import type { MatchResult } from '../../training/matches/match.js';
import { WorkerPool } from '../../training/workers/worker-pool.js';
import type { OptionsOf } from '../lazy-commands.js';
import { gameOption, rulesOption } from '../options/game-options.js';
import { evenNumber, positiveNumber, seedNumber, wholeNumber } from '../options/numbers.js';
import { formatElo } from '../progress/loop-progress.js';
import type { Output } from '../output.js';
import { createProgress } from '../progress/progress.js';

const declareFlags = (command: Command) =>
  command
    .requiredOption(
      '--agent <text>',
      'agent such as mcts:model=FILE.onnx,simulations=64 or alphabeta:depth=2',
    )
    .requiredOption('--opponent <text>', 'its opponent, such as careful, greedy, alphabeta:depth=1')
    .option('--games <n>', 'number of games, even', evenNumber(1_000_000), 40)
    .option('--seed <n>', 'seed of openings and random moves', seedNumber, 1)
    .option('--opening-plies <n>', 'careful random plies before the agents play', wholeNumber(100), 4)
    .option('--processes <n>', 'number of processes that play', positiveNumber, 2)
    .option('--json', 'print one JSON object')
    .addOption(gameOption)
    .addOption(rulesOption);

type EvaluateOptions = OptionsOf<typeof declareFlags>;

function describe(options: EvaluateOptions, result: MatchResult): string {
  const { wins, draws, losses, truncated, pentanomial, msPerMove, meanPlies } = result;
  return [
    `${options.agent} against ${options.opponent}: ${wins} won, ${draws} drawn (${truncated} of them at the ply limit), ${losses} lost`,
    `Elo ${formatElo(result)} (95 %), pairs by points 0 ½ 1 1½ 2: ${pentanomial.join(' ')}`,
    `${meanPlies.toFixed(0)} plies a game, ${msPerMove.agent.toFixed(1)} ms a move, ` +
      `opponent ${msPerMove.opponent.toFixed(1)} ms`,
  ].join('\n');
}

async function runEvaluate(output: Output, options: EvaluateOptions): Promise<void> {
  const pool = new WorkerPool(options.processes, {
    onMessage: (text) => {
      output.message(`gess: ${text}`);
    },
  });
  const progress = createProgress(output, 'games');
  try {
    progress.start(`gess: ${options.agent} against ${options.opponent}`);
    const game = { id: options.game, rules: options.rules };
    const result = await pool.playMatch({ ...options, game }, (finished) => {
      progress.update(finished, options.games);
    });
    progress.stop();
    output.result(options.json === true ? JSON.stringify(result) : describe(options, result));
  } finally {
    progress.stop();
    await pool.dispose();
  }
}

/** `gess evaluate`: a match between two agents, with Elo. */
export function defineEvaluate(command: Command, output: Output): void {
  declareFlags(command).action((options) => runEvaluate(output, options));
}
