import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../data/temporary-folder.js';
import { runGess } from '../captured-output.js';

/** The completions that bash offers after these words; the last word is incomplete. */
async function complete(...words: readonly string[]): Promise<string[]> {
  const { results } = await runGess('completion', 'bash');
  const file = join(temporaryFolder(), 'gess.bash');
  writeFileSync(file, `${results.join('\n')}\n`);
  const program = `source ${file}; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _gess; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const text = execFileSync('bash', ['--norc', '-c', program, 'bash', 'gess', ...words], {
    encoding: 'utf8',
  });
  return text.split('\n').filter((line) => line !== '');
}

test('bash completes commands, options and their values', async () => {
  expect(await complete('tra')).toEqual(['train']);
  expect(await complete('data', 'ver')).toEqual(['verify']);
  expect(await complete('train', '--pre')).toEqual(['--preset']);
  expect(await complete('train', '--preset', 'q')).toEqual(['quickstart', 'quess']);
  expect(await complete('train', '--preset', 'tiny', '--res')).toEqual(['--resume']);
  expect(await complete('show', '--game', 'q')).toEqual(['quess']);
  expect(await complete('bench', 'per')).toEqual(['perft']);
  // The value of --out is a file: bash's own completion takes over.
  expect(await complete('train', '--out', '')).toEqual([]);
  expect(await complete('data', 'verify', '--deep', '--js')).toEqual(['--json']);
  expect(await complete('help', 'tra')).toEqual(['train']);
  expect(await complete('data', 'help', 'ver')).toEqual(['verify']);
});

test('bash completes --name=value, of which it makes three words', async () => {
  expect(await complete('train', '--preset', '=', 'q')).toEqual(['quickstart', 'quess']);
  expect(await complete('show', '--game', '=')).toEqual(['gess', 'quess', 'connect-four']);
});

test('fish offers the sub-commands of a command until one is named', async () => {
  const { results } = await runGess('completion', 'fish');
  expect(results.join('\n')).toContain(
    "-n '__fish_seen_subcommand_from pool; and not __fish_seen_subcommand_from init add remove simulate status help' -f -a 'init'",
  );
});

test('each shell has a script with all commands', async () => {
  for (const shell of ['bash', 'zsh', 'fish']) {
    const text = (await runGess('completion', shell)).results.join('\n');
    for (const name of ['watch', 'reanalyze', 'schema', 'completion']) expect(text).toContain(name);
  }
  await expect(runGess('completion', 'csh')).rejects.toMatchObject({ code: 'argument-value' });
});
