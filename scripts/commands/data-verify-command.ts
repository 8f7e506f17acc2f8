import { Command } from 'commander';
import { DataError } from '../../data/data-error.js';
import type { Verification } from '../../data/verification.js';
import { verify } from '../../training/run/run-verification.js';
import type { Output } from '../output.js';
import { createProgress } from '../progress/progress.js';

interface VerifyOptions {
  readonly deep?: true;
  readonly json?: true;
}

function describe({ files, bytes, problems, unchecked }: Verification): string {
  return [
    ...problems.map(({ code, message }) => `damaged: ${message} [${code}]`),
    ...unchecked.map((path) => `not checked, for nothing vouches for it: ${path}`),
    `${files} files checked, ${(bytes / 1e6).toFixed(1)} MB: ${problems.length} damaged`,
  ].join('\n');
}

async function runVerify(output: Output, path: string, options: VerifyOptions): Promise<void> {
  const progress = createProgress(output, 'files');
  const verification = await verify(path, { deep: options.deep === true }).finally(() => {
    progress.stop();
  });
  output.result(options.json === true ? JSON.stringify(verification) : describe(verification));
  const [first] = verification.problems;
  if (first === undefined) return;
  const more = verification.problems.length - 1;
  const others = more > 0 ? `, and ${more} more` : '';
  throw new DataError('dataset-damaged', `${first.message} [${first.code}]${others}`);
}

/** `gess data verify`: checks every file of a run, a dataset or a checkpoint. */
export function dataVerifyCommand(output: Output): Command {
  return new Command('verify')
    .description('check every file of a run, a dataset or a checkpoint; exit code 1 where one is damaged')
    .argument('<path>', 'a folder, or an .arrow file')
    .option(
      '--deep',
      'also compare each row of the shards with the rules: player, ply, legal actions, policy',
    )
    .option('--json', 'print one JSON object')
    .action((path: string, options: VerifyOptions) => runVerify(output, path, options));
}
