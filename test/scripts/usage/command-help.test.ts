import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { PRESET_USES } from '../../../scripts/options/config-options.js';
import { createProgram } from '../../../scripts/program.js';
import { COMMAND_EXAMPLES } from '../../../scripts/usage/command-examples.js';
import { pathOf } from '../../../scripts/usage/usage-error.js';
import { captureOutput } from '../captured-output.js';
import { listCommands } from './list-commands.js';

const root = resolve(import.meta.dirname, '..', '..', '..');

const commands = await listCommands();
const named = commands.map((command) => ({ path: pathOf(command).replace(/^gess /, ''), command }));

/** Words of a line as a shell splits it, up to a redirection. */
function wordsOf(line: string): string[] {
  const words = Array.from(line.matchAll(/(?:"[^"]*"|[^\s"])+/g), ([word]) => word.replaceAll('"', ''));
  const end = words.indexOf('>');
  return end < 0 ? words : words.slice(0, end);
}

class Parsed extends Error {}

/** Parses a line with the program's own definitions, without running it. */
async function parse(line: string): Promise<string> {
  const program = createProgram(captureOutput()).hook('preAction', (_program, command) => {
    throw new Parsed(pathOf(command));
  });
  // A hook of the program loads modules of games; the example's module does not exist.
  const words = wordsOf(line).map((word) => (word === './my-game.mjs' ? 'gess' : word));
  return program.parseAsync(words, { from: 'user' }).then(
    () => '',
    (error: unknown) => {
      if (error instanceof Parsed) return error.message;
      throw error;
    },
  );
}

test('the list of examples has every command, and no other', () => {
  expect(Object.keys(COMMAND_EXAMPLES).sort()).toEqual(named.map(({ path }) => path).sort());
});

test.each(named)(
  'the help of gess $path shows examples that parse, and a page',
  async ({ path, command }) => {
    const { lines, page } = COMMAND_EXAMPLES[path]!;
    expect(new Set(lines).size).toBeGreaterThan(1);
    expect(existsSync(join(root, page))).toBe(true);
    let help = '';
    command.configureOutput({ writeOut: (text) => (help += text) });
    command.outputHelp();
    for (const line of lines) {
      expect(help).toContain(`  gess ${line}\n`);
      expect(await parse(line)).toBe(`gess ${path}`);
    }
  },
);

/** Words in a description that say what a number counts, or how it is limited. */
const NUMBER_MEANINGS =
  /number|seed|plies|depth|milliseconds|seconds|steps|simulations|games|port|share|probability|value|row|GiB|Elo|times|level|opening|mix|positions|lines|generations|strength|exceeds|players|opponent|moves|multiples|earlier/i;

test.each(named)('the options of gess $path say what they take, and defaults are shown', ({ command }) => {
  for (const option of command.options) {
    expect([option.flags, option.description.length > 5]).toEqual([option.flags, true]);
    if (/<(n|ms|p|gib|number|share)>/.test(option.flags)) {
      expect([option.flags, option.description]).toEqual([
        option.flags,
        expect.stringMatching(NUMBER_MEANINGS),
      ]);
    }
    const isEmpty = Array.isArray(option.defaultValue) && option.defaultValue.length === 0;
    const isShown = option.defaultValue === undefined || isEmpty || option.description.includes('default');
    const help = command.createHelp().optionDescription(option);
    if (!isShown) expect([option.flags, help]).toEqual([option.flags, expect.stringMatching(/default/)]);
  }
});

test('the list of presets in a help fits 80 columns', () => {
  const train = named.find(({ path }) => path === 'train')!.command;
  let help = '';
  train.configureOutput({ writeOut: (text) => (help += text) });
  train.outputHelp();
  const presets = help.split('\nPresets:\n')[1]!.split('\n\n')[0]!.split('\n');
  expect(Math.max(...presets.map(({ length }) => length))).toBeLessThanOrEqual(80);
  expect(presets.join(' ').replace(/ +/g, ' ')).toContain(PRESET_USES.standard);
});

test('the help marks required options, and shows no empty default', () => {
  const ladder = commands.find((command) => pathOf(command) === 'gess ladder')!;
  const help = ladder.helpInformation().replaceAll(/\s+/g, ' ');
  expect(help).toContain('an existing ladder is continued (required)');
  expect(help).toContain('--player <agent> add a fixed agent; may be repeated --run');
  expect(help).toContain('(one of gauntlet, round-robin; default: "gauntlet")');
});
