import type { Command } from '@commander-js/extra-typings';
import { DataError } from '../../../data/data-error.js';
import { countOf } from '../../../env/text/count-of.js';
import { NotationError } from '../../../env/errors.js';
import type { Verification } from '../../../data/verification.js';
import { verify } from '../../../training/run/run-verification.js';
import { expectOwnGame, gameModuleOption } from '../../options/game-options.js';
import type { Output } from '../../output.js';
import { createProgress } from '../../progress/progress.js';

function describe({ files, bytes, problems, unchecked }: Verification): string {
  const unknown = problems.filter(({ code }) => code === 'game-unknown').length;
  const damaged = problems.length - unknown;
  return [
    ...problems.map(({ code, message }) => {
      return `${code === 'game-unknown' ? 'not checked' : 'damaged'}: ${message} [${code}]`;
    }),
    ...unchecked.map((path) => `not checked, no checksum known: ${path}`),
    `${countOf(files, 'file')} checked, ${(bytes / 1e6).toFixed(1)} MB: ${damaged} damaged${unknown > 0 ? `, ${unknown} of unknown games` : ''}`,
  ].join('\n');
}

async function runVerify(
  command: Command,
  output: Output,
  path: string,
  options: { readonly deep?: true; readonly game?: string; readonly json?: true },
): Promise<void> {
  const progress = createProgress(output, 'files');
  progress.start(`gess: verifying ${path}`);
  const onFile = (files: number): void => {
    progress.update(files, 0);
  };
  const games = new Set<string>();
  const onGame = (game: string): void => {
    games.add(game);
  };
  const verification = await verify(path, { deep: options.deep === true, onFile, onGame }).finally(() => {
    progress.stop();
  });
  const { problems } = verification;
  // A folder may have files of several games; the game of a damaged one is unknown.
  if (problems.length === 0 && !games.has(options.game ?? '')) {
    for (const game of games) expectOwnGame(command, game, path);
  }
  output.result(options.json === true ? JSON.stringify(verification) : describe(verification));
  const [first] = problems;
  if (first === undefined) return;
  // A file of a game that is not loaded may be sound: the user has to name the game.
  if (problems.every(({ code }) => code === 'game-unknown')) {
    throw new NotationError('game-unknown', first.message);
  }
  const more = problems.length - 1;
  const others = more > 0 ? `, and ${more} more` : '';
  throw new DataError('dataset-damaged', `${first.message} [${first.code}]${others}`);
}

/** `gess data verify`: checks every file of a run, a dataset or a checkpoint. */
export function defineDataVerify(command: Command, output: Output): void {
  command
    .argument('<path>', 'a folder, or an .arrow file')
    .option(
      '--deep',
      'also check each row of the shards against the rules: player, ply, legal actions, policy',
    )
    .addOption(gameModuleOption)
    .option('--json', 'print one JSON object')
    .action((path, options) => runVerify(command, output, path, options));
}
