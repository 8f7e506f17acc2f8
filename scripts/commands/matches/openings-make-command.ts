import type { Command } from '@commander-js/extra-typings';
import { exists } from '../../../data/files/atomic-file.js';
import { claimOutputFile } from '../../../data/files/output-file.js';
import { createGame } from '../../../env/games.js';
import { countOf } from '../../../env/text/count-of.js';
import { validate } from '../../../env/problems-text.js';
import { judgeOf } from '../../../training/openings/balance.js';
import { BookSettings, judgementsPath, makeBook } from '../../../training/openings/book-making.js';
import { readBook } from '../../../training/openings/opening-book.js';
import { ProcessPool } from '../../../training/workers/process-pool.js';
import type { OptionsOf } from '../../usage/lazy-commands.js';
import { gameOption, rulesOption } from '../../options/game-options.js';
import { positiveNumber, processNumber, seedNumber, shareOfOne, wholeNumber } from '../../options/numbers.js';
import { overwriteOption } from '../../options/overwrite-option.js';
import type { Output } from '../../output.js';
import { createProgress } from '../../progress/progress.js';
import { listenForStop } from '../../stopping/stop-signal.js';
import { UsageError } from '../../usage/usage-error.js';
import { messenger } from '../../output.js';

const declareFlags = (command: Command) =>
  command
    .requiredOption(
      '--out <file>',
      'the book; judgements are kept in FILE.judged.jsonl, so that the command can be resumed',
    )
    .addOption(overwriteOption)
    .option('--count <n>', 'number of openings', positiveNumber, 512)
    .option('--min-plies <n>', 'shortest opening', wholeNumber(100), 4)
    .option('--max-plies <n>', 'longest opening', wholeNumber(100), 10)
    .option('--max-value <n>', 'largest absolute value of a position that counts as even', shareOfOne, 0.15)
    .option('--judge <text>', 'agent that evaluates positions', 'alphabeta:nodes=50000')
    .option('--seed <n>', 'seed of the random openings', seedNumber, 1)
    .option('--processes <n>', 'number of processes that judge', processNumber, 2)
    .option('--json', 'print one JSON object')
    .addOption(gameOption)
    .addOption(rulesOption);

type MakeOptions = OptionsOf<typeof declareFlags>;

type MakeCommand = ReturnType<typeof declareFlags>;

function describeResult(
  {
    openings,
    path,
    sha256,
  }: { readonly openings: number; readonly path: string; readonly sha256: string | null },
  count: number,
): string {
  if (sha256 === null) return `${openings} of ${count} openings found; run the same command to resume`;
  return `${countOf(openings, 'opening')} in ${path}, sha256 ${sha256}`;
}

async function runMake(command: MakeCommand, output: Output, options: MakeOptions): Promise<void> {
  const { out, count, game, rules, seed, minPlies, maxPlies, maxValue, judge } = options;
  // Their own errors are clearer than those of the settings.
  judgeOf(createGame(game, rules), judge);
  const settings = validate(
    BookSettings,
    { game: { id: game, rules }, seed, minPlies, maxPlies, balance: { maxValue, judge } },
    (problems) => new UsageError(command, 'option-value', problems),
  );
  // A book with its judgements beside it is resumed.
  const lock = await claimOutputFile(out, options.overwrite === true || (await exists(judgementsPath(out))));
  const stop = listenForStop(output, {
    hint: 'Run the same command to resume.',
    action: 'finishing the positions in progress',
  });
  const pool = new ProcessPool(options.processes, {
    onMessage: messenger(output),
  });
  const progress = createProgress(output, 'openings');
  try {
    progress.start(`gess: making ${out}`);
    const found = await makeBook(out, count, settings, {
      judge: (jobs) => pool.judgeOpenings(jobs, { signal: stop.signal }),
      lanes: options.processes,
      onProgress: (_judged, openings) => {
        progress.update(Math.min(openings, count), count);
      },
      signal: stop.signal,
    });
    progress.stop();
    const sha256 = found < count ? null : (await readBook(out)).digest;
    if (sha256 !== null) stop.done();
    const result = { finished: sha256 !== null, openings: Math.min(found, count), path: out, sha256 };
    output.result(options.json === true ? JSON.stringify(result) : describeResult(result, count));
  } finally {
    progress.stop();
    stop.dispose();
    await pool.dispose();
    lock.release();
  }
}

/** `gess openings make`: a book of balanced openings. */
export function defineOpeningsMake(command: Command, output: Output): void {
  const make = declareFlags(command);
  make.action(async (options) => {
    if (options.minPlies > options.maxPlies)
      throw new UsageError(make, 'option-value', 'expected --min-plies up to --max-plies');
    await runMake(make, output, options);
  });
}
