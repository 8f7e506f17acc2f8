import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseAgentSpec } from '../../agents/agent-spec.js';
import { createGame } from '../../env/games.js';
import { type ConfigOptions, configOrDefaults, PRESET_USES } from '../../scripts/options/config-options.js';
import { createProgram } from '../../scripts/program.js';
import { readCheckpoint } from '../../training/checkpoints/checkpoint-folder.js';
import { findOrigin } from '../../training/run/run-origin.js';
import { captureOutput } from '../scripts/captured-output.js';

const root = resolve(import.meta.dirname, '..', '..');
// typedoc writes docs/api, which is not committed.
const pages = ['docs', 'models']
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true }).map((path) => join(folder, path.toString())),
  )
  .filter((path) => path.endsWith('.md') && !path.startsWith(join('docs', 'api')))
  .concat('README.md', 'CONTRIBUTING.md')
  .sort();

/** Flags whose values are texts of agents. */
const AGENT_FLAGS = ['agent', 'opponent'];
/** Folders of files that the examples read; others, such as `runs/`, are the reader's own. */
const OWN_FOLDERS = /^(models|configs|test|examples)\//;

/**
 * The command lines of a page: in fenced blocks, with continued lines joined, and in the text if they begin with `npx
 * gess`.
 */
function commandsOf(page: string): string[] {
  const text = readFileSync(join(root, page), 'utf8');
  const blocks = Array.from(text.matchAll(/^```\w*(?: [\w.-]+)?\n([^]*?)^```$/gm), ([, block]) => block!);
  const lines = blocks.flatMap((block) => block.replaceAll(/\\\n\s*/g, '').split('\n'));
  const inText = Array.from(text.matchAll(/`(npx gess [^`\n]*)`/g), ([, line]) => line!);
  return [...lines, ...inText].flatMap(
    (line) => /^(?:[A-Z_]+=\S+ )*(?:npx )?gess (.*)$/.exec(line)?.[1] ?? [],
  );
}

/** Splits a command as a shell does: quotes of both kinds; it ends at a comment, a redirection or a pipe. */
function wordsOf(line: string): string[] {
  const words = Array.from(line.matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g), ([word]) => word);
  const end = words.findIndex((word) => /^[#>|&]/.test(word));
  return words
    .slice(0, end < 0 ? undefined : end)
    .map((word) => word.replaceAll(/'([^']*)'|"([^"]*)"/g, '$1$2'));
}

/** A parsed command line: the command and its options. */
interface Parsed {
  readonly name: string;
  readonly options: Readonly<Record<string, unknown>>;
}

/** Thrown in place of the command's action. */
class ParsedCommand extends Error {
  readonly parsed: Parsed;

  constructor(parsed: Parsed) {
    super(parsed.name);
    this.parsed = parsed;
  }
}

/** Parses a command line with the program's own definitions; does not run the command. */
async function parse(line: string): Promise<Parsed> {
  const program = createProgram(captureOutput()).hook('preAction', (_program, command) => {
    throw new ParsedCommand({ name: command.name(), options: command.opts() });
  });
  try {
    await program.parseAsync(wordsOf(line), { from: 'user' });
  } catch (error) {
    if (error instanceof ParsedCommand) return error.parsed;
    throw error;
  }
  throw new Error(`expected an action of ${line}`);
}

async function checkConfiguration({ name, options }: Parsed): Promise<void> {
  const { config: file, ...flags } = options as ConfigOptions;
  // CONFIG stands for the reader's own file.
  const config = await configOrDefaults(
    file === undefined || file === 'CONFIG' ? flags : { ...flags, config: join(root, file) },
  );
  const { from } = options;
  if (typeof from !== 'string' || !OWN_FOLDERS.test(from)) return;
  // `gess learn` takes game and network from the checkpoint.
  if (name === 'train') await findOrigin(join(root, from), config);
  else await readCheckpoint(join(root, from));
}

/** Rejects like the program if a command line is invalid; does not run it. */
async function checkCommand(line: string): Promise<void> {
  const used = await parse(line);
  const { options } = used;
  // The module of the reader's own game, or one that the build makes.
  if (/\.m?js$/.test(String(options['game']))) return;
  if ('preset' in options || 'config' in options || 'set' in options) await checkConfiguration(used);
  for (const text of AGENT_FLAGS.flatMap((flag) => options[flag] ?? []) as string[]) {
    const spec = parseAgentSpec(text);
    const model = 'model' in spec.options ? spec.options.model : undefined;
    if (model !== undefined && OWN_FOLDERS.test(model))
      expect([model, existsSync(join(root, model))]).toEqual([model, true]);
  }
  if (typeof options['game'] === 'string') createGame(options['game'], options['rules'] as string);
  for (const word of wordsOf(line).filter((text) => OWN_FOLDERS.test(text))) {
    expect([word, existsSync(join(root, word))]).toEqual([word, true]);
  }
}

/** The help of a command, with the text after its options. */
async function helpOf(command: string): Promise<string> {
  const output = captureOutput();
  const program = createProgram(output);
  await expect(program.parseAsync([command, '--help'], { from: 'user' })).rejects.toMatchObject({
    exitCode: 0,
  });
  return output.results.join('\n');
}

const examples = pages.flatMap((page) => commandsOf(page).map((line) => ({ page, line })));

describe('commands in the documents', () => {
  test('exist', () => {
    const count = (page: string): number => examples.filter((example) => example.page === page).length;
    for (const page of [
      'README.md',
      'docs/explanation/learning-methods.md',
      'docs/how-to/resume-a-run.md',
      'docs/explanation/search.md',
      'docs/reference/analysis.md',
      'models/gess/README.md',
    ]) {
      expect([page, count(page) > 0]).toEqual([page, true]);
    }
    expect(examples.length).toBeGreaterThan(40);
  });

  test.each(examples)('$page: gess $line', async ({ line }) => {
    await checkCommand(line);
  });
});

describe.each(['train', 'selfplay'])('the help of gess %s', (command) => {
  test('has valid examples, the presets, and a page with details', async () => {
    const help = await helpOf(command);
    const lines = Array.from(help.matchAll(/^ {2}gess (.*)$/gm), ([, line]) => line!);
    expect(lines.length).toBeGreaterThan(1);
    for (const line of lines) {
      expect((await parse(line)).name).toBe(command);
      await checkCommand(line);
    }
    const unwrapped = help.replaceAll(/\n {12,}(?=\S)/g, ' ');
    const presets = Array.from(unwrapped.matchAll(/^ {2}([a-z][\w-]*) {2,}(.*)$/gm), ([, name, use]) => [
      name,
      use,
    ]);
    expect(presets).toEqual(Object.entries(PRESET_USES));
    const [page] = /^docs\/\S+\.md/m.exec(help)!;
    expect(pages).toContain(page);
  });
});

test('docs/how-to/resume-a-run.md describes the presets as the help does', () => {
  const text = readFileSync(join(root, 'docs', 'how-to', 'resume-a-run.md'), 'utf8');
  const [, table] = /^\| preset +\| content +\|\n\| -.*\n((?:\|.*\n)*)/m.exec(text)!;
  const rows = Array.from(table!.matchAll(/^\| `([\w-]+)` +\| (.*?) +\|$/gm), ([, name, use]) => [
    name,
    use!.replaceAll('`', ''),
  ]);
  expect(rows).toEqual(Object.entries(PRESET_USES));
});

describe('detects an invalid command:', () => {
  const network =
    '{"channels":32,"blocks":6,"globalPoolEvery":3,"policyAttention":0,"movesLeft":true,"holders":true,"rings":true}';

  test.each([
    // The checkpoint has an attention policy head.
    [
      `train --preset gess-24h --from models/gess/checkpoint --out runs/int8 --set network='${network}'`,
      'checkpoint-network',
    ],
    ['train --preset quess --from models/gess/checkpoint --out runs/int8', 'checkpoint-game'],
    ['train --preset small --out runs/a --set learner.batchsize=3', 'setting-unknown'],
    ['train --preset small --out runs/a --set learner.batchSize=none', 'setting-invalid'],
    ['train --preset large --out runs/a', 'option-value'],
    ['train --preset small', 'option-missing'],
    ['train --out runs/a --model small', 'option-unknown'],
    ['teach', 'command-unknown'],
    ['evaluate --agent alphabeta:depths=2 --opponent greedy', 'agent-option'],
    ['evaluate --agent greedy --opponent good', 'agent-unknown'],
  ])('%s', async (line, code) => {
    await expect(checkCommand(line)).rejects.toMatchObject({ code });
  });

  test('one that names a missing file', async () => {
    await expect(
      checkCommand('evaluate --agent policy:model=models/none.onnx --opponent greedy'),
    ).rejects.toThrow('models/none.onnx');
    await expect(checkCommand('accuracy --solved test/none.jsonl --agent solver')).rejects.toThrow(
      'test/none.jsonl',
    );
  });
});
