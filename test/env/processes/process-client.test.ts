import { join } from 'node:path';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { CodedError, NotationError } from '../../../env/errors.js';
import { ProcessClient, type ClientOptions } from '../../../env/processes/process-client.js';
import { isRunning } from './running.js';

interface Asked {
  readonly kind: string;
  readonly value?: unknown;
}

type Client = ProcessClient<Asked, unknown, number>;

const MODULE = join(import.meta.dirname, 'answering-process.mjs');

function started(options: Partial<ClientOptions> = {}): { client: Client; lines: string[] } {
  const lines: string[] = [];
  const client: Client = new ProcessClient({
    module: MODULE,
    errors: [NotationError],
    onLine: (line) => lines.push(line),
    ...options,
  });
  onTestFinished(() => client.end());
  return { client, lines };
}

describe('the allocator of a process', () => {
  const NAME = 'MALLOC_MMAP_THRESHOLD_';

  afterEach(() => {
    vi.unstubAllEnvs();
  });

  test('keeps large arrays off the heap', async () => {
    vi.stubEnv(NAME, undefined);
    expect(await started().client.ask({ kind: 'variable', value: NAME })).toBe('131072');
  });

  test('has the settings of this environment if there are any', async () => {
    vi.stubEnv(NAME, '4096');
    expect(await started().client.ask({ kind: 'variable', value: NAME })).toBe('4096');
  });
});

describe('a request', () => {
  test('is answered with whatever can be cloned, one after another', async () => {
    const { client } = started();
    const values = [1, 'text', null, [1, { two: 2 }], new Float32Array([0.5, -1]), new Map([['a', 1]]), NaN];
    for (const value of values) expect(await client.ask({ kind: 'echo', value })).toEqual(value);
    expect(client.isBusy).toBe(false);
    expect(client.isAlive).toBe(true);
  });

  test('sends notes and signs of life while it is in progress', async () => {
    const { client } = started();
    const notes: number[] = [];
    let signs = 0;
    const asked = client.ask(
      { kind: 'count', value: 5 },
      { onNote: (note) => notes.push(note), onSign: () => signs++ },
    );
    expect(client.isBusy).toBe(true);
    client.ping();
    expect(await asked).toBe('counted');
    expect(notes).toEqual([1, 2, 3, 4, 5]);
    // The notes, the answer, and the reply to the ping unless that came later.
    expect([6, 7]).toContain(signs);
  });

  test('fails with the error of the process: its class, code and message', async () => {
    const { client } = started();
    const failureOf = (kind: string): Promise<unknown> =>
      client.ask({ kind }).catch((error: unknown) => error);
    const notation = await failureOf('fail-notation');
    expect(notation).toBeInstanceOf(NotationError);
    expect(notation).toMatchObject({ code: 'action-syntax', message: 'no such move' });
    // A coded error of a class that is not known here.
    const foreign = await failureOf('fail-package');
    expect(foreign).toBeInstanceOf(CodedError);
    expect(foreign).toMatchObject({ name: 'PackageError', code: 'package-missing', exitCode: 1 });
    const defect = await failureOf('fail-defect');
    expect(defect).not.toBeInstanceOf(CodedError);
    expect(defect).toMatchObject({
      name: 'TypeError',
      message: 'a defect',
      stack: expect.stringContaining('answering-process.mjs') as string,
    });
    expect(await failureOf('answer-function')).toMatchObject({
      message: expect.stringContaining('could not be cloned') as string,
    });
    expect(await client.ask({ kind: 'echo', value: 'still there' })).toBe('still there');
  });

  test('is not answered by a process that ends: the error has its exit code and last lines', async () => {
    const { client, lines } = started();
    await expect(client.ask({ kind: 'exit', value: 7 })).rejects.toMatchObject({
      name: 'ProcessEnd',
      message: 'ended with exit code 7',
      lastLines: ['last words'],
    });
    expect(lines).toEqual(['last words']);
    expect(client.isAlive).toBe(false);
    await expect(client.ask({ kind: 'echo' })).rejects.toMatchObject({ message: 'ended with exit code 7' });
  });
});

test('what a process prints to stdout or stderr is passed on by lines', async () => {
  const { client, lines } = started();
  await client.ask({ kind: 'print', value: 'a\nb' });
  await expect.poll(() => [...lines].sort()).toEqual(['a', 'b', 'b', 'error: a']);
});

test('a busy process is killed with a verdict, or ended without waiting for its answer', async () => {
  const { client } = started();
  const asked = client.ask({ kind: 'spin' });
  client.kill('was too slow');
  expect(client.isAlive).toBe(false);
  await expect(asked).rejects.toMatchObject({ name: 'ProcessEnd', message: 'was too slow' });
  const { client: other } = started({});
  const spinning = other.ask({ kind: 'spin' });
  const { pid } = other;
  await other.end();
  await expect(spinning).rejects.toMatchObject({ message: 'was ended by SIGKILL' });
  expect(isRunning(pid!)).toBe(false);
});

test('a module that does not exist ends the process before it answers', async () => {
  const { client } = started({ module: join(import.meta.dirname, 'no-such-module.mjs') });
  await expect(client.ask({ kind: 'echo' })).rejects.toMatchObject({ message: 'ended with exit code 1' });
});
