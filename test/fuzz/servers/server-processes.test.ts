import assert from 'node:assert/strict';
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setImmediate, setTimeout } from 'node:timers/promises';
import fc from 'fast-check';
import { processorMsOf } from '../../../data/files/process-identity.js';
import { fuzz } from '../fuzz.js';
import { ANALYSIS_WORDS, analysisQueries } from './analysis-query-texts.js';
import { ENGINE_WORDS, engineLines } from './engine-texts.js';
import { ENV_WORDS, envRequests } from './env-request-texts.js';
import { hostileStream } from './hostile-stream.js';
import { REPLAY_WORDS, replayRequests } from './replay-request-texts.js';
import { LAUNCHER } from '../../scripts/usage/launcher.js';

/** How often the input is repeated for a client that does not read, so that the answers fill the pipe. */
const REPEATS = { 'env-server': 200, replay: 200, engine: 200, analysis: 10 };
const MAX_INPUT = 2 ** 18;

/**
 * The client's behaviour: it reads the answers; it reads them only once the server has stopped reading; it never reads
 * them and closes the pipe.
 */
type Client = 'reads' | 'is late' | 'leaves';

const SERVERS = {
  'env-server': {
    words: ['env-server'],
    input: hostileStream(envRequests, ENV_WORDS),
    first:
      '{"id":1,"method":"make","params":{"id":"gess/ConnectFour"}}\n{"id":1,"method":"reset","params":{"env":1}}\n',
    isRefusal: (line: string): boolean => 'error' in (JSON.parse(line) as object),
  },
  replay: {
    words: ['replay', '--batch'],
    input: hostileStream(replayRequests, REPLAY_WORDS),
    first: '',
    isRefusal: (line: string): boolean => 'error' in (JSON.parse(line) as object),
  },
  engine: {
    words: ['engine', '--agent', 'random', '--game', 'connect-four'],
    input: hostileStream(engineLines, ENGINE_WORDS),
    first: '',
    isRefusal: (line: string): boolean => line.startsWith('info string error'),
  },
  analysis: {
    words: ['engine', '--json', '--agent', 'random', '--game', 'connect-four'],
    input: hostileStream(analysisQueries, ANALYSIS_WORDS),
    first: '{"id":0}\n',
    isRefusal: (line: string): boolean => 'error' in (JSON.parse(line) as object),
  },
} as const;

/** Waits until the process uses no more processor time, because it waits for its client, or has ended. */
async function untilIdle(server: ChildProcessWithoutNullStreams): Promise<void> {
  let [before, usedMs] = [-1, 0];
  while (server.exitCode === null && usedMs !== before) {
    await setTimeout(50);
    before = usedMs > 0 ? usedMs : -1;
    usedMs = processorMsOf(server.pid!) ?? before;
  }
}

/** The pieces, repeated until they are many or large. */
function repeated(pieces: readonly Buffer[], times: number): Buffer {
  const once = Buffer.concat([...pieces, Buffer.from('\n')]);
  return Buffer.concat(
    Array<Buffer>(Math.max(1, Math.min(times, Math.floor(MAX_INPUT / once.length)))).fill(once),
  );
}

/** Sends the pieces to a server; returns its answers and its exit code. */
async function serve(name: keyof typeof SERVERS, pieces: readonly Buffer[], client: Client) {
  const { words } = SERVERS[name];
  const server = spawn(process.execPath, [LAUNCHER, ...words]);
  const texts = { out: '', errors: '' };
  server.stderr.on('data', (chunk: Buffer) => {
    texts.errors += chunk.toString();
  });
  // The server may end during a write.
  server.stdin.on('error', () => undefined);
  const ended = once(server, 'close') as Promise<[code: number | null, signal: string | null]>;
  const read = (): void => {
    server.stdout.on('data', (chunk: Buffer) => {
      texts.out += chunk.toString();
    });
  };
  if (client === 'reads') read();
  if (client === 'leaves') server.stdout.destroy();
  for (const piece of client === 'is late' ? [repeated(pieces, REPEATS[name])] : pieces) {
    server.stdin.write(piece);
    await setImmediate();
  }
  server.stdin.end(name === 'engine' ? '\nquit\n' : '');
  if (client === 'is late') {
    await untilIdle(server);
    read();
  }
  const [code, signal] = await ended;
  return { ...texts, code, signal };
}

const runs = fc.constantFrom(...(Object.keys(SERVERS) as (keyof typeof SERVERS)[])).chain((server) =>
  fc.record({
    server: fc.constant(server),
    pieces: SERVERS[server].input,
    client: fc.constantFrom<Client>('reads', 'reads', 'is late', 'leaves'),
  }),
);

fuzz('a process of a server, with any input and client', {
  input: runs,
  runs: 6,
  law: async ({ server, pieces, client }) => {
    const { first, isRefusal } = SERVERS[server];
    const { out, errors, code, signal } = await serve(server, [Buffer.from(first), ...pieces], client);
    assert.equal(signal, null);
    // A server whose answers nobody can read ends without a message.
    assert.ok(code === 0 || (code === 1 && client === 'leaves'), `exit code ${String(code)}: ${errors}`);
    assert.equal(errors, '');
    assert.ok(out === '' || out.endsWith('\n'));
    const lines = out.split('\n').slice(0, -1);
    const refusals = lines.filter(isRefusal);
    return refusals.length < lines.length;
  },
});
