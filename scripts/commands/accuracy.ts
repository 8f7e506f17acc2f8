import { Command } from 'commander';
import { createAgent } from '../../agents/create-agent.js';
import { createGame } from '../../env/games.js';
import { measureAccuracy, type MoveAccuracy } from '../../training/matches/move-accuracy.js';
import { readSolvedPositions } from '../../training/matches/solved-positions.js';
import { readModelFile } from '../../training/model-file.js';
import { addGameOptions, type GameOptions, wholeNumber } from '../game-options.js';
import type { Output } from '../output.js';
import { createProgress } from '../progress.js';

interface AccuracyOptions extends GameOptions {
  readonly solved: string;
  readonly agent: readonly string[];
  readonly seed: number;
  readonly json?: true;
}

function percent(part: number, whole: number): string {
  return whole === 0 ? '-' : `${((100 * part) / whole).toFixed(1)} %`;
}

function describe({ agent, positions, best, decisive, bestOfDecisive }: MoveAccuracy): string {
  return (
    `${agent}: a best move in ${best} of ${positions} positions (${percent(best, positions)}), ` +
    `in ${bestOfDecisive} of the ${decisive} where not all moves are best (${percent(bestOfDecisive, decisive)})`
  );
}

async function runAccuracy(output: Output, options: AccuracyOptions): Promise<void> {
  const game = createGame(options.game, options.rules);
  const positions = await readSolvedPositions(options.solved, game);
  const progress = createProgress(output, 'positions');
  try {
    for (const text of options.agent) {
      const agent = await createAgent(text, game, (path) => readModelFile(path, game));
      try {
        progress.start(`gess: ${text}`);
        const accuracy = await measureAccuracy(agent, positions, options.seed, (done) => {
          progress.update(done, positions.length);
        });
        progress.stop();
        output.result(options.json === true ? JSON.stringify(accuracy) : describe(accuracy));
      } finally {
        await agent.dispose();
      }
    }
  } finally {
    progress.stop();
  }
}

/** `gess accuracy`: how often agents find a best move of positions that are solved. */
export function accuracyCommand(output: Output): Command {
  const command = new Command('accuracy')
    .description('count how often agents pick a best move of positions that a perfect player has judged')
    .requiredOption('--solved <file>', 'the positions: JSON lines, docs/formats.md')
    .requiredOption('--agent <texts...>', 'such as mcts:model=FILE.onnx,simulations=64 or alphabeta:depth=4')
    .option('--seed <n>', "makes the agents' random moves", wholeNumber(Number.MAX_SAFE_INTEGER), 1)
    .option('--json', 'print a JSON object for each agent');
  return addGameOptions(command).action((options: AccuracyOptions) => runAccuracy(output, options));
}
