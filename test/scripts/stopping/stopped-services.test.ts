import { readdirSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { LAUNCHER } from '../usage/launcher.js';
import { temporaryFolder } from '../../data/temporary-folder.js';

test.each([
  ['engine', 'isready\n'],
  ['env-server', '{"id":1,"method":"registry"}\n'],
])(
  'gess %s ends at Ctrl-C without a word: it has nothing to finish',
  { timeout: 30_000 },
  async (name, request) => {
    const child = spawn(process.execPath, [LAUNCHER, name], { stdio: 'pipe' });
    const stderr = text(child.stderr);
    child.stdin.write(request);
    await once(child.stdout, 'data');
    child.kill('SIGINT');
    const [code] = (await once(child, 'close')) as [number];
    expect(await stderr).toBe('');
    expect(code).toBe(130);
  },
);

test('gess play says at Ctrl-C where the game is', { timeout: 30_000 }, async () => {
  const cwd = temporaryFolder();
  const words = ['play', '--game', 'connect-four', '--side', 'both', '--save', 'my game.json'];
  const child = spawn(process.execPath, [LAUNCHER, ...words], { stdio: 'pipe', cwd });
  const stderr = text(child.stderr);
  child.stdin.write('3\n');
  for await (const line of createInterface(child.stdout)) if (line === 'red 3') break;
  child.kill('SIGINT');
  const [code] = (await once(child, 'close')) as [number];
  expect(await stderr).toBe(
    "gess play: saved as my game.json; resume it with: gess play --resume 'my game.json'\n",
  );
  expect(code).toBe(130);
  expect(readdirSync(cwd)).toEqual(['my game.json']);
});

test('gess engine ends at SIGTERM while its network searches', { timeout: 30_000 }, async () => {
  const child = spawn(process.execPath, [LAUNCHER, 'engine', '--agent', 'mcts:model=gess'], {
    stdio: 'pipe',
  });
  const stderr = text(child.stderr);
  child.stdin.write('position startpos\ngo movetime 60000\n');
  for await (const line of createInterface(child.stdout)) if (line.startsWith('info ')) break;
  child.kill('SIGTERM');
  const [code] = (await once(child, 'close')) as [number];
  expect(await stderr).toBe('');
  expect(code).toBe(143);
});
