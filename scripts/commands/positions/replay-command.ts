import type { Command } from '@commander-js/extra-typings';
import { DataError } from '../../../data/data-error.js';
import { type GameRecord, mainLine, recordMoves } from '../../../data/records/record.js';
import { writeRecordFile } from '../../../data/records/record-file.js';
import { checkVariations, moveNumberAfter, type VariationCheck } from '../../../data/records/variations.js';
import type { Game } from '../../../env/game.js';
import { createGame } from '../../../env/games.js';
import { NotationError } from '../../../env/errors.js';
import { createReplayAnswerer, replayErrorAnswer } from '../../../env/replay/replay-requests.js';
import { firstState, replayMoves, type ReplayResult } from '../../../env/replay/replay.js';
import type { OptionsOf } from '../../usage/lazy-commands.js';
import { answerLines } from '../../line-protocol/answered-lines.js';
import { standardInput } from '../../line-protocol/standard-input.js';
import { gameOption, rulesOption } from '../../options/game-options.js';
import { expectNoIdleOptions } from '../../options/idle-options.js';
import { positiveNumber } from '../../options/numbers.js';
import { openRecordFile, writtenFormat } from '../../options/record-options.js';
import { overwriteOption } from '../../options/overwrite-option.js';
import type { Output } from '../../output.js';
import { describeResult } from '../../text/game-end-text.js';
import { UsageError } from '../../usage/usage-error.js';

const declareFlags = (command: Command) =>
  command
    .option('--moves <list>', 'the moves, such as "f6-f7 p15-m12"')
    .option('--position <text>', "position where --moves start (default: the game's first position)")
    .option('--sgf <file>', 'a record of Gess in SGF; --rules overrides its rules')
    .option(
      '--record <file>',
      'a record of any game in JSON (docs/reference/formats.md); --rules overrides its rules',
    )
    .option('--number <n>', 'number of the game in an SGF file with several, from 1', positiveNumber)
    .option(
      '--force',
      'play illegal moves too; else an illegal game ends with exit code 1, unless --json reports it',
    )
    .option('--variations', 'check the variations too')
    .option('--write <file>', 'write the record as SGF or JSON, by its name: FILE.sgf or FILE.json')
    .addOption(overwriteOption)
    .option(
      '--batch',
      'answer JSON lines from stdin: {"game", "rules", "moves", "position", "force"}; the options are their defaults',
    )
    .option('--json', 'print one JSON object')
    .addOption(gameOption)
    .addOption(rulesOption);

type ReplayCommand = ReturnType<typeof declareFlags>;
type ReplayOptions = OptionsOf<typeof declareFlags>;

function formatVariations({ tried, illegal }: VariationCheck): string[] {
  const reasons = illegal.map(({ line, reason }) => `  ${line}: ${reason}`);
  return [`variations tried: ${tried}, with an illegal move: ${illegal.length}`, ...reasons];
}

/** The result of replaying `record` of `game` as text. */
function formatResult(result: ReplayResult, game: Game<unknown>, record: GameRecord): string {
  const { illegalPly, reason, outcome } = result;
  const { players, event, date } = record;
  const names = players === undefined ? undefined : players.map((name) => name ?? '?').join(' - ');
  const heading = [names, event, date].filter((text) => text !== undefined).join(', ');
  const verdict =
    illegalPly === null
      ? 'legal'
      : `illegal move ${illegalPly + 1}: ${moveNumberAfter(game, record.position, illegalPly)} ${reason ?? ''}`;
  const isConfirmed = record.result === undefined || record.result === outcome;
  const claim = isConfirmed ? '' : `; result of the record: ${describeResult(game, record.result)}`;
  const end = `${outcome === null ? 'not over' : describeResult(game, outcome)}${claim}`;
  return [...(heading === '' ? [] : [heading]), verdict, end, result.position].join('\n');
}

/** The error of an illegal record, for a person or a script that reads no JSON. */
function illegalRecord({ illegalPly, reason }: ReplayResult): DataError {
  return new DataError(
    'record-illegal',
    `expected a legal game; move ${(illegalPly ?? 0) + 1}: ${reason ?? ''}`,
  );
}

/** The game and the record selected by the options. */
async function openRecord(
  command: ReplayCommand,
  options: ReplayOptions,
): Promise<readonly [Game<unknown>, GameRecord]> {
  const { moves, sgf, record, position, force } = options;
  if ((sgf ?? record) === undefined) {
    const game = createGame(options.game, options.rules);
    return [game, recordMoves(game, { moves: moves ?? '', position, force })];
  }
  if (position !== undefined) {
    throw new UsageError(command, 'option-conflict', 'expected --position with --moves only');
  }
  return openRecordFile(command, options);
}

async function writeRecord(output: Output, command: ReplayCommand, record: GameRecord): Promise<void> {
  const { write: path, overwrite } = command.opts();
  if (path === undefined) return;
  const format = writtenFormat(command, path)!;
  await writeRecordFile(path, record, { format, overwrite: overwrite === true });
  output.message(`gess replay: wrote ${path}`);
}

/** @throws UsageError for an invalid combination of options. */
function expectOptionsThatFit(command: ReplayCommand): void {
  const { moves, sgf, record, batch, number } = command.opts();
  const count = [moves, sgf, record, batch].filter((source) => source !== undefined).length;
  if (count !== 1) {
    const code = count === 0 ? 'option-missing' : 'option-conflict';
    throw new UsageError(command, code, 'expected one of --moves, --sgf, --record and --batch');
  }
  if (batch === true)
    expectNoIdleOptions(command, ['write', 'overwrite', 'variations', 'json'], 'without --batch');
  if (number !== undefined && sgf === undefined) {
    throw new UsageError(command, 'option-conflict', 'expected --number with --sgf only');
  }
}

/** `gess replay`: replays a record and checks that it is legal. `--batch` answers the lines of `input`. */
export function defineReplay(
  command: Command,
  output: Output,
  input: () => AsyncIterable<Uint8Array> = standardInput,
): void {
  const replay = declareFlags(command);
  replay.action(async (options) => {
    expectOptionsThatFit(replay);
    if (options.batch === true) {
      // Rejects invalid defaults before the first line.
      firstState(createGame(options.game, options.rules), options.position);
      await answerLines(output, input(), {
        answer: createReplayAnswerer(options),
        refuse: replayErrorAnswer,
        errorOf: (code, message) => new NotationError(code, message),
      });
      return;
    }
    const [game, record] = await openRecord(replay, options);
    const result = replayMoves(game, { ...mainLine(record), force: options.force });
    const variations =
      options.variations === true ? checkVariations(game, record, options.force === true) : undefined;
    await writeRecord(output, replay, record);
    if (options.json === true) {
      output.result(JSON.stringify(variations === undefined ? result : { ...result, variations }));
    } else {
      const more = variations === undefined ? [] : formatVariations(variations);
      output.result([formatResult(result, game, record), ...more].join('\n'));
      if (!result.legal && options.force !== true) throw illegalRecord(result);
    }
  });
}
