import { createInterface } from 'node:readline';
import { Command } from 'commander';
import { type GameRecord, mainLine, recordMoves } from '../../data/records/record.js';
import { formatOfName, readRecordFile, writeRecordFile } from '../../data/records/record-file.js';
import { checkVariations, moveNumberAfter, type VariationCheck } from '../../data/records/variations.js';
import type { Game } from '../../env/game.js';
import { createGame } from '../../env/games.js';
import { createReplayAnswerer } from '../../env/replay-requests.js';
import { replayMoves, type ReplayResult } from '../../env/replay.js';
import { addGameOptions, type GameOptions, positiveNumber } from '../options/game-options.js';
import type { Output } from '../output.js';

interface ReplayOptions extends GameOptions {
  readonly moves?: string;
  readonly position?: string;
  readonly sgf?: string;
  readonly record?: string;
  readonly number?: number;
  readonly force?: true;
  readonly variations?: true;
  readonly write?: string;
  readonly overwrite?: true;
  readonly batch?: true;
  readonly json?: true;
}

function stdinLines(): AsyncIterable<string> {
  return createInterface({ input: process.stdin, crlfDelay: Infinity });
}

function formatVariations({ tried, illegal }: VariationCheck): string[] {
  const reasons = illegal.map(({ line, reason }) => `  ${line}: ${reason}`);
  return [`variations tried: ${tried}, with an illegal move: ${illegal.length}`, ...reasons];
}

/** What people read; `game` and `record` are what was replayed. */
function formatResult(result: ReplayResult, game: Game<unknown>, record: GameRecord): string {
  const { illegalPly, reason, outcome } = result;
  const { players, event, date } = record;
  const names = players === undefined ? undefined : players.map((name) => name ?? '?').join(' - ');
  const heading = [names, event, date].filter((text) => text !== undefined).join(', ');
  const verdict =
    illegalPly === null
      ? 'legal'
      : `illegal at ply ${illegalPly}: ${moveNumberAfter(game, record.position, illegalPly)} ${reason ?? ''}`;
  const end = outcome === null ? 'not over' : outcome === 'draw' ? 'a draw' : `${outcome} has won`;
  const claim =
    record.result === undefined || record.result === outcome ? '' : ` (${record.result} in the record)`;
  return [...(heading === '' ? [] : [heading]), verdict, `${end}${claim}`, result.position].join('\n');
}

/** The game and the record that the flags name. */
async function openRecord(command: Command, options: ReplayOptions): Promise<[Game<unknown>, GameRecord]> {
  const { moves, sgf, record: json, position, number, force } = options;
  const path = sgf ?? json;
  if (path === undefined) {
    const game = createGame(options.game, options.rules);
    return [game, recordMoves(game, { moves: moves ?? '', position, force })];
  }
  if (position !== undefined) command.error('error: expected --position with --moves only');
  const isGiven = (name: keyof GameOptions): boolean => command.getOptionValueSource(name) === 'cli';
  const rules = isGiven('rules') ? options.rules : undefined;
  const record = await readRecordFile(path, sgf === undefined ? 'json' : 'sgf', { rules, number });
  if (isGiven('game') && options.game !== record.game) {
    command.error(`error: expected a record of ${options.game}, ${path} is one of ${record.game}`);
  }
  return [createGame(record.game, record.rules), record];
}

async function writeRecord(output: Output, command: Command, record: GameRecord): Promise<void> {
  const { write: path, overwrite } = command.opts<ReplayOptions>();
  if (path === undefined) return;
  const format = formatOfName(path);
  if (format === undefined)
    command.error(`error: expected a name in .sgf or .json for --write, got '${path}'`);
  await writeRecordFile(path, record, { format, overwrite: overwrite === true });
  output.message(`gess replay: wrote ${path}`);
}

/** `gess replay`: plays a record and says whether it is legal. `lines` are what `--batch` answers. */
export function replayCommand(output: Output, lines: () => AsyncIterable<string> = stdinLines): Command {
  const command = new Command('replay')
    .description('play a record of moves and say whether they are legal')
    .option('--moves <list>', 'the moves, such as "f6-f7 p15-m12"')
    .option('--position <text>', 'where --moves start; left out, at the first position of the game')
    .option('--sgf <file>', 'a record of Gess in SGF; --rules replace its own')
    .option('--record <file>', 'a record of any game in JSON (docs/formats.md); --rules replace its own')
    .option('--number <n>', 'which game of an SGF file with several, from 1', positiveNumber)
    .option('--force', 'play illegal moves too')
    .option('--variations', 'try the variations too')
    .option('--write <file>', 'write the record, as SGF or JSON by the name: FILE.sgf or FILE.json')
    .option('--overwrite', 'let --write replace a file')
    .option('--batch', 'answer JSON lines from stdin: {"game", "rules", "moves", "position", "force"}')
    .option('--json', 'print one JSON object');
  return addGameOptions(command).action(async (options: ReplayOptions) => {
    const { moves, sgf, record: json, batch } = options;
    const sources = [moves, sgf, json, batch].filter((source) => source !== undefined);
    if (sources.length !== 1) command.error('error: expected one of --moves, --sgf, --record and --batch');
    if (batch === true && (options.write !== undefined || options.variations === true)) {
      command.error('error: expected --batch without --write and --variations');
    }
    if (options.number !== undefined && sgf === undefined) {
      command.error('error: expected --number with --sgf only');
    }
    if (batch === true) {
      const answer = createReplayAnswerer();
      for await (const line of lines()) if (line.trim() !== '') output.result(answer(line));
      return;
    }
    const [game, record] = await openRecord(command, options);
    const result = replayMoves(game, { ...mainLine(record), force: options.force });
    const variations =
      options.variations === true ? checkVariations(game, record, options.force === true) : undefined;
    await writeRecord(output, command, record);
    if (options.json === true) {
      output.result(JSON.stringify(variations === undefined ? result : { ...result, variations }));
    } else {
      const more = variations === undefined ? [] : formatVariations(variations);
      output.result([formatResult(result, game, record), ...more].join('\n'));
    }
  });
}
