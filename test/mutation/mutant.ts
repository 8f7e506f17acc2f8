import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import * as z from 'zod';
import { engineOf, type PlantedFault, plantFault } from './planted-fault.js';

/** The result of testing a copy of the project. */
export interface Verdict {
  /** The first test that failed, `file: name`; null if all passed. */
  readonly failed: string | null;
  /** The first lines of its message. */
  readonly message: string;
  /** Tests that ran. */
  readonly tests: number;
  readonly seconds: number;
}

/** The files that the tests of the rules and of tree search need, besides packages. */
const COPIED = ['env', 'agents', 'test', 'docs', 'package.json', 'tsconfig.json'];

/** Tests that do not concern the faults of an engine, by engine. */
const OTHERS: Readonly<Record<string, readonly string[]>> = {
  gess: ['test/agents/**', '**/quess*.test.ts'],
  quess: ['test/agents/**', '**/gess*.test.ts', '**/rules-docs.test.ts'],
  mcts: ['test/env/**'],
};

/** More than twice the time of all tests without a fault. */
const LIMIT_MS = 300_000;

/** The part of the JSON reporter's output that is read here. */
const Report = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      message: z.string(),
      assertionResults: z.array(
        z.object({ fullName: z.string(), status: z.string(), failureMessages: z.array(z.string()) }),
      ),
    }),
  ),
});

/** Without the variables of Vitest's workers, and without colours. */
function childEnvironment(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(
    ([name]) => !/^(VITEST|TEST$|NODE_ENV$|CI$|FORCE_COLOR$)/.test(name),
  );
  return { ...Object.fromEntries(own), NO_COLOR: '1' };
}

/**
 * Runs Node in its own process group, which is killed at its end or at the time limit: otherwise a test that
 * a fault keeps running would stay in an orphaned worker.
 */
async function runGroup(args: readonly string[], cwd: string): Promise<string> {
  const child = spawn(process.execPath, args, { cwd, env: childEnvironment(), detached: true });
  const endGroup = (): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    } catch {
      // All of them have ended.
    }
  };
  const timer = setTimeout(endGroup, LIMIT_MS);
  try {
    // Both pipes are read at once, as a full pipe would block the child; resolved on exit, as workers keep
    // the pipes open.
    const output: string[] = [];
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => output.push(text));
    }
    await once(child, 'exit');
    return output.join('');
  } finally {
    clearTimeout(timer);
    endGroup();
  }
}

/** Runs the tests in `folder` until one fails; resolves in any case, as the report has the result. */
async function runTests(folder: string, engine: string | null): Promise<string> {
  const report = join(folder, 'report.json');
  const excluded = engine === null ? [] : (OTHERS[engine] ?? []);
  const args = [
    join(folder, 'node_modules', 'vitest', 'vitest.mjs'),
    'run',
    ...['--config', join('test', 'mutation', 'mutant.config.ts'), '--configLoader', 'runner'],
    ...['--reporter', 'json', '--outputFile', report],
    ...excluded.flatMap((pattern) => ['--exclude', pattern]),
  ];
  const output = await runGroup(args, folder);
  return readFile(report, 'utf8').catch((cause: unknown) => {
    throw new Error(`the tests wrote no report: ${output.slice(-2000)}`, { cause });
  });
}

/**
 * Reads a report of Vitest's JSON reporter.
 *
 * @throws Error if the report does not show that a test caught the fault: a file that does not load, an
 * undefined name, a test that timed out.
 */
export function readVerdict(text: string, seconds: number): Verdict {
  const { testResults } = Report.parse(JSON.parse(text));
  for (const { name, message, assertionResults } of testResults) {
    if (message !== '' && assertionResults.length === 0) throw new Error(`${name} does not load: ${message}`);
  }
  const results = testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map((result) => ({ ...result, file: basename(name) })),
  );
  const failure = results.find(({ status }) => status === 'failed');
  const message = failure?.failureMessages[0] ?? '';
  if (/^(SyntaxError|ReferenceError)|timed out in/.test(message)) throw new Error(message);
  return {
    failed: failure === undefined ? null : `${failure.file}: ${failure.fullName}`,
    message: message.split('\n').slice(0, 3).join(' '),
    tests: results.filter(({ status }) => status === 'passed' || status === 'failed').length,
    seconds,
  };
}

/**
 * Copies what the tests of the rules need to a new temporary folder; the packages stay where they are.
 *
 * @returns the folder, for the caller to remove.
 */
export async function copyProject(root: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'gess-mutant-'));
  for (const name of COPIED) await cp(join(root, name), join(folder, name), { recursive: true });
  await symlink(await realpath(join(root, 'node_modules')), join(folder, 'node_modules'));
  return folder;
}

/**
 * Tests a copy of the project in `root`, with `fault` planted in it unless it is null, by the tests of the fault's
 * engine. `root` is only read.
 *
 * @throws Error if the copy fails without a failing test: a file that does not load, or a run over five
 * minutes.
 */
export async function testMutant(root: string, fault: PlantedFault | null): Promise<Verdict> {
  const folder = await copyProject(root);
  try {
    if (fault !== null) {
      const file = join(folder, fault.file);
      await writeFile(file, plantFault(fault, await readFile(file, 'utf8')));
    }
    const start = performance.now();
    const report = await runTests(folder, fault === null ? null : engineOf(fault));
    return readVerdict(report, (performance.now() - start) / 1000);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
