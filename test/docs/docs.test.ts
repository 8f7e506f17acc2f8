import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FINDING_MEANINGS } from '../../env/environments/conformance/codes.js';
import { LAUNCHER } from '../scripts/usage/launcher.js';

const root = resolve(import.meta.dirname, '..', '..');
const run = promisify(execFile);
/** Below the project's folder, so that programs find the package by its own name. */
const folder = join(root, 'dist', 'docs-examples');

const PAGES = ['README.md', 'docs/reference/environments.md', 'docs/how-to/train-your-own-agent.md'] as const;

/** A program in a page and its stated output; null if the page states none. */
interface Example {
  readonly name: string;
  /** Its file, without the extension. */
  readonly path: string;
  readonly program: string;
  readonly prints: string | null;
}

/** The blocks marked `ts`; one followed by a block after "It prints" must print exactly that. */
function listExamples(page: string): Example[] {
  const text = readFileSync(join(root, page), 'utf8');
  const blocks = text.matchAll(/^```ts\n([^]*?)^```\n(?:\nIt prints\n\n```\n([^]*?)^```\n)?/gm);
  return Array.from(blocks, ([, program, prints], index) => ({
    name: `${page} ${index + 1}`,
    path: join(folder, `${page.replaceAll(/\W/g, '-')}-${index + 1}`),
    program: program!,
    prints: prints ?? null,
  }));
}

const examples = PAGES.flatMap(listExamples);

/** Compiles the programs as a user's project would, against the sources of the package. */
function compile(): string[] {
  for (const { path, program } of examples) writeFileSync(`${path}.mts`, program);
  const options: ts.CompilerOptions = {
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    strict: true,
    skipLibCheck: true,
    types: ['node'],
    noEmit: true,
    // The package's own name stands for its sources.
    rootDir: root,
    outDir: join(root, 'dist'),
  };
  const names = examples.map(({ path }) => `${path}.mts`);
  const program = ts.createProgram(names, options);
  const diagnostics = names.flatMap((name) => {
    const source = program.getSourceFile(name)!;
    writeFileSync(
      name.replace(/mts$/, 'mjs'),
      ts.transpile(source.text, { ...options, module: ts.ModuleKind.ESNext }),
    );
    return ts.getPreEmitDiagnostics(program, source);
  });
  return diagnostics.map(({ file, messageText }) => {
    const message = ts.flattenDiagnosticMessageText(messageText, ' ');
    return `${file === undefined ? '' : `${file.fileName}: `}${message}`;
  });
}

beforeAll(async () => {
  // Rebuilds the package if something has changed.
  await run(process.execPath, [LAUNCHER, '--version']);
  mkdirSync(folder, { recursive: true });
}, 120_000);

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

describe('programs in the documents', () => {
  test.each(PAGES)('%s contains programs', (page) => {
    expect(listExamples(page)).not.toEqual([]);
  });

  test('compile', { timeout: 60_000 }, () => {
    expect(compile()).toEqual([]);
  });

  describe('run', () => {
    /** Precedes the output of each program; no page has it. */
    const MARK = '\u0000';
    let outputs: readonly string[] = [];

    // Runs them one after another in one process, which loads the package once.
    beforeAll(async () => {
      const runner = `${folder}/all.mjs`;
      const steps = examples.map(({ path }) => `process.stdout.write('\\0');\nawait import('${path}.mjs');`);
      writeFileSync(runner, steps.join('\n'));
      const { stdout } = await run(process.execPath, [runner]);
      outputs = stdout.split(MARK).slice(1);
    }, 60_000);

    test.each(examples.map((example, index) => ({ ...example, index })))('$name', ({ index, prints }) => {
      expect(outputs).toHaveLength(examples.length);
      if (prints !== null) expect(outputs[index]).toBe(prints);
    });
  });
});

test('the table of findings has every code', () => {
  const text = readFileSync(join(root, 'docs', 'reference', 'environments.md'), 'utf8');
  const rows = Array.from(text.matchAll(/^\| `([\w-]+)` +\| (.+?) +\|$/gm), ([, code, meaning]) => [
    code,
    meaning,
  ]);
  for (const entry of Object.entries(FINDING_MEANINGS)) expect(rows).toContainEqual(entry);
});
