import { createInterface } from 'node:readline';
import { Command } from 'commander';
import { createGame } from '../../env/games.js';
import { createReplayAnswerer } from '../../env/replay-requests.js';
import { replayMoves, type ReplayResult } from '../../env/replay.js';
import { addGameOptions, type GameOptions } from '../game-options.js';
import type { Output } from '../output.js';

interface ReplayOptions extends GameOptions {
  readonly moves?: string;
  readonly position?: string;
  readonly force?: true;
  readonly batch?: true;
  readonly json?: true;
}

function stdinLines(): AsyncIterable<string> {
  return createInterface({ input: process.stdin, crlfDelay: Infinity });
}

function formatResult(result: ReplayResult): string {
  const verdict = result.reason === null ? 'legal' : `illegal at ply ${result.illegalPly}: ${result.reason}`;
  const end =
    result.outcome === null ? 'not over' : result.outcome === 'draw' ? 'a draw' : `${result.outcome} has won`;
  return `${verdict}\n${end}\n${result.position}`;
}

/** `gess replay`: plays a record and says whether it is legal. `lines` are what `--batch` answers. */
export function replayCommand(output: Output, lines: () => AsyncIterable<string> = stdinLines): Command {
  const command = new Command('replay')
    .description('play a record of moves and say whether they are legal')
    .option('--moves <list>', 'the moves, such as "f6-f7 p15-m12"')
    .option('--position <text>', 'where to start; left out, at the first position of the game')
    .option('--force', 'play illegal moves too')
    .option('--batch', 'answer JSON lines from stdin: {"game", "rules", "moves", "position", "force"}')
    .option('--json', 'print one JSON object');
  return addGameOptions(command).action(async (options: ReplayOptions) => {
    if (options.batch === true) {
      if (options.moves !== undefined) command.error('error: expected --moves or --batch, not both');
      const answer = createReplayAnswerer();
      for await (const line of lines()) if (line.trim() !== '') output.result(answer(line));
      return;
    }
    if (options.moves === undefined) command.error('error: expected --moves, or --batch');
    const { moves = '', position, force } = options;
    const result = replayMoves(createGame(options.game, options.rules), { moves, position, force });
    output.result(options.json === true ? JSON.stringify(result) : formatResult(result));
  });
}
