import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { RunConfig } from '../../../training/config/run-config.js';
import { openRun } from '../../../training/run/run-folder.js';
import { temporaryFolder } from '../../data/temporary-folder.js';
import { builtModule } from '../../package/built-module.js';

const [ENTERS, LEAVES] = ['\u001b[?1049h', '\u001b[?1049l'];
const LAST_LINE = 'q ends watching; the run goes on';

async function newRun(): Promise<string> {
  const folder = join(temporaryFolder(), 'run');
  const config = RunConfig.parse({ game: { id: 'connect-four' } });
  const run = await openRun(folder, { config, resume: false, versions: {} });
  run.lock.release();
  return folder;
}

/** Runs `gess watch` in a pseudo-terminal with scripted keys (pseudo-terminal.py). */
function watchInTerminal(
  folder: string,
  terminal: string,
  steps: readonly object[],
): { readonly text: string; readonly status: number; readonly isSane: boolean } {
  const job = {
    command: [process.execPath, builtModule('scripts/main.js'), 'watch', folder],
    ...{ columns: 80, lines: 24, environment: { TERM: terminal, LANG: 'C.UTF-8' }, steps },
  };
  const script = join(import.meta.dirname, '..', 'play', 'pseudo-terminal.py');
  const { status, stdout, stderr } = spawnSync('python3', [script], { input: JSON.stringify(job) });
  expect(status, stderr.toString()).toBe(0);
  return JSON.parse(stdout.toString()) as ReturnType<typeof watchInTerminal>;
}

test('Ctrl-Z gives the terminal back, and the view returns when the process goes on', async () => {
  // The process has no shell that could continue it, so the system lets it go on at once.
  const { text } = watchInTerminal(await newRun(), 'xterm', [
    { expect: LAST_LINE, send: '\u001a' },
    { expect: LAST_LINE, send: '\u0003' },
  ]);
  const switches = [ENTERS, LEAVES].flatMap((code) =>
    text
      .split(code)
      .slice(1)
      .map(() => code),
  );
  expect(switches).toEqual([ENTERS, ENTERS, LEAVES, LEAVES]);
  expect(text.lastIndexOf(LEAVES)).toBeGreaterThan(text.lastIndexOf(ENTERS));
});

test('typed keys do not show, and q ends watching with the terminal as it was', async () => {
  const { text, status, isSane } = watchInTerminal(await newRun(), 'xterm', [
    { expect: LAST_LINE, send: 'xyzzy\u001b[A\u000c' },
    { expect: LAST_LINE, send: 'q' },
  ]);
  expect(text).not.toContain('xyzzy');
  expect({ status, isSane }).toEqual({ status: 0, isSane: true });
});

test('a terminal without a movable cursor gets lines', async () => {
  const { text } = watchInTerminal(await newRun(), 'dumb', [{ expect: 'generation 0 of', send: '\u0003' }]);
  expect(text).toMatch(/^generation 0 of \d+, /);
  expect(text).not.toContain('\u001b');
});
