import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../data/temporary-folder.js';
import { runGessJson } from '../captured-output.js';

test('the options of pool init are those of the server and of the tickets', async () => {
  const folder = join(temporaryFolder(), 'pool');
  const words = ['--host', '127.0.0.1', '--no-tls', '--port', '4333', '--web-port', '4334'];
  const sizes = ['--store', '7', '--workers', '3'];
  const { tickets } = (await runGessJson('pool', 'init', '--out', folder, ...words, ...sizes)) as {
    readonly tickets: readonly { readonly name: string; readonly path: string }[];
  };
  expect(tickets.map(({ name }) => name)).toEqual([
    'coordinator',
    'observer',
    'worker-1',
    'worker-2',
    'worker-3',
  ]);
  for (const { path } of tickets)
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({
      url: 'nats://127.0.0.1:4333',
      browserUrl: 'ws://127.0.0.1:4334',
    });
  const config = readFileSync(join(folder, 'server', 'nats.conf'), 'utf8');
  expect(config).toContain('\nport: 4333\n');
  expect(config).toContain('websocket {\n  port: 4334\n');
  expect(config).toContain('  max_file_store: 7GB\n');
});
