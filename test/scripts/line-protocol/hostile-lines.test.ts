import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { connectFourDefinition } from '../../../env/connect-four/connect-four-definition.js';
import { registerGame } from '../../../env/games.js';
import { NotationError } from '../../../env/errors.js';
import { createReplayAnswerer, replayErrorAnswer } from '../../../env/replay/replay-requests.js';
import { createEnvServer } from '../../../scripts/env-server/server.js';
import { answerLines } from '../../../scripts/line-protocol/answered-lines.js';
import { captureOutput } from '../captured-output.js';
import { LAUNCHER } from '../usage/launcher.js';

const MAKE = '{"id": 1, "method": "make", "params": {"id": "gess/ConnectFour"}}';
const LAST = '{"id": 2, "method": "last", "params": {"env": 1}}';

interface Answer {
  readonly result?: { readonly env?: number };
  readonly error?: { readonly code: string; readonly message: string };
}

const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
const makeWith = (kwargs: string): string =>
  `{"id": 3, "method": "make", "params": {"id": "gess/Quess", "kwargs": ${kwargs}}}`;

describe('a hostile line to the environment server', () => {
  test.each([
    ['1,500 deep', makeWith(`{"plyLimit": ${nested(1500)}}`), 'request-syntax'],
    ['100,000 deep', makeWith(`{"plyLimit": ${nested(100_000)}}`), 'request-syntax'],
    ['2,000,000 deep', nested(2_000_000), 'request-syntax'],
    ['deep in objects', '{"a":'.repeat(100_000), 'request-syntax'],
    ['__proto__ in kwargs', makeWith('{"__proto__": {"plyLimit": 3}}'), 'request-syntax'],
    ['an escaped __proto__', makeWith('{"\\u005f_proto__": 3}'), 'request-syntax'],
    ['__proto__ deep in kwargs', makeWith('{"rules": {"__proto__": 3}}'), 'request-syntax'],
    ['constructor in kwargs', makeWith('{"constructor": {"prototype": 3}}'), 'kwargs'],
    ['prototype in kwargs', makeWith('{"prototype": 3}'), 'kwargs'],
    ['a name twice', makeWith('{"plyLimit": 3, "plyLimit": 4}'), 'request-syntax'],
    ['a name twice, once escaped', makeWith('{"plyLimit": 3, "ply\\u004cimit": 4}'), 'request-syntax'],
    ['kwargs that are a list', makeWith('[]'), 'request-syntax'],
    ['a ply limit of 1e308', makeWith('{"plyLimit": 1e308}'), 'request-syntax'],
    ['a ply limit of a billion', makeWith('{"plyLimit": 1000000000}'), 'request-syntax'],
    ['100,000 kwargs', makeWith(`{${Array.from({ length: 1e5 }, (_, i) => `"k${i}": 1`).join()}}`), 'kwargs'],
    [
      'a million wrong actions',
      `{"id": 3, "method": "restore", "params": {"env": 1, "state": {"version": 1, "actions": [${'-1,'.repeat(1e6)}0]}}}`,
      'state-mismatch',
    ],
    [
      'a number beyond the range of doubles',
      '{"id": 3, "method": "last", "params": {"env": 1e999}}',
      'request-syntax',
    ],
    ['an id of an object', '{"id": {"toString": 1}, "method": "hello"}', 'request-syntax'],
  ])('%s is answered soon, and the environments stay usable', (_, line, code) => {
    const serve = createEnvServer();
    serve(MAKE);
    serve('{"id": 1, "method": "reset", "params": {"env": 1}}');
    // Processor time, because the operations of the parser and of the schemas cannot be counted.
    const before = process.cpuUsage();
    const { error } = JSON.parse(serve(line)) as Answer;
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1e6).toBeLessThan(5);
    expect(error?.code).toBe(code);
    expect(error?.message.length).toBeLessThanOrEqual(2000);
    expect(JSON.parse(serve(LAST))).toHaveProperty('result');
  });

  test('a defect is answered and closes only its environment', () => {
    registerGame({
      ...connectFourDefinition,
      id: 'broken',
      environments: { 'gess/Broken-v0': {} },
      create: (settings) => ({
        ...connectFourDefinition.create(settings),
        id: 'broken',
        apply: () => {
          throw new TypeError('a defect of the game');
        },
      }),
    });
    const defects: unknown[] = [];
    const serve = createEnvServer((error) => defects.push(error));
    serve(MAKE);
    serve('{"id": 1, "method": "make", "params": {"id": "gess/Broken"}}');
    for (const env of [1, 2]) serve(`{"id": 1, "method": "reset", "params": {"env": ${env}}}`);
    const step = '{"id": 1, "method": "step", "params": {"env": 2, "action": 0}}';
    expect((JSON.parse(serve(step)) as Answer).error?.code).toBe('failed');
    expect((JSON.parse(serve(step)) as Answer).error?.code).toBe('env-closed');
    expect(JSON.parse(serve(LAST))).toHaveProperty('result');
    expect(defects).toMatchObject([{ message: 'a defect of the game' }]);
  });
});

describe('a hostile line to replay --batch', () => {
  test.each([
    ['100,000 deep', `{"moves": ${nested(100_000)}}`],
    ['__proto__', '{"__proto__": {"moves": "3"}}'],
    ['a name twice', '{"moves": "f6-f7", "moves": ""}'],
  ])('%s has an answer', (_, line) => {
    const { error } = JSON.parse(createReplayAnswerer()(line)) as Answer;
    expect(error?.code).toBe('request-syntax');
  });
});

// eslint-disable-next-line @typescript-eslint/require-await -- a stream is asynchronous, but its chunks are ready
async function* streamOf(chunks: Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* chunks;
}

/** A line protocol that answers each line with the same line. */
const ECHO = {
  answer: (line: string): string => line,
  refuse: replayErrorAnswer,
  errorOf: (code: 'request-size' | 'request-syntax', message: string) => new NotationError(code, message),
};

describe('a hostile stream', () => {
  test('a line that is not UTF-8 is refused, and the next one is read', async () => {
    const output = captureOutput();
    await answerLines(output, streamOf([Buffer.from([0x22, 0xff, 0x22, 0x0a]), Buffer.from('next')]), ECHO);
    expect((JSON.parse(output.results[0]!) as Answer).error?.code).toBe('request-syntax');
    expect(output.results[1]).toBe('next');
  });

  test('100 MB without a line end take little memory, and the next line is read', async () => {
    const output = captureOutput();
    const chunk = Buffer.alloc(65_536, 'x');
    function* chunks(): Generator<Buffer> {
      for (let i = 0; i < 1600; i++) yield chunk;
      yield Buffer.from('\nnext');
    }
    const before = process.memoryUsage.rss();
    await answerLines(output, streamOf(chunks()), ECHO);
    expect(process.memoryUsage.rss() - before).toBeLessThan(60e6);
    expect((JSON.parse(output.results[0]!) as Answer).error?.code).toBe('request-size');
    expect(output.results[1]).toBe('next');
  });

  test('a line that comes byte by byte takes little memory', async () => {
    const output = captureOutput();
    function* bytes(): Generator<Buffer> {
      for (let i = 0; i < 200_000; i++) yield Buffer.from('x');
    }
    const before = process.memoryUsage.rss();
    await answerLines(output, streamOf(bytes()), ECHO);
    expect(process.memoryUsage.rss() - before).toBeLessThan(100e6);
    expect(output.results[0]!.length).toBe(200_000);
  });
});

/** Resident memory of a process in bytes. */
function residentBytes(pid: number): number {
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) * 1024;
}

const COUNT = 20_000;

test.runIf(process.platform === 'linux').each([
  ['env-server', [`${MAKE}\n`, '{"id": 1, "method": "reset", "params": {"env": 1}}\n'], `${LAST}\n`],
  ['replay', [], `{"game": "connect-four", "moves": "${'3 2 '.repeat(3)}"}\n`],
])('%s waits for a client that does not read its answers', async (command, first, request) => {
  const words = command === 'replay' ? ['replay', '--batch'] : [command];
  const child = spawn(process.execPath, [LAUNCHER, ...words], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  child.stdin.write(first.join(''));
  child.stdin.write(request);
  for (let i = 0; i <= first.length; i++) await lines.next();
  child.stdout.pause();
  const before = residentBytes(child.pid!);
  child.stdin.end(request.repeat(COUNT));
  let pending = -1;
  while (child.stdin.writableLength !== pending) {
    pending = child.stdin.writableLength;
    await setTimeout(500);
  }
  expect(pending).toBeGreaterThan(0);
  expect(residentBytes(child.pid!) - before).toBeLessThan(100e6);
  child.stdout.resume();
  let answers = 0;
  while ((await lines.next()).done !== true) answers += 1;
  expect(answers).toBe(COUNT);
});
