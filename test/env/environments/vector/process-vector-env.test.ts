import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { execFileSync } from 'node:child_process';
import { afterEach, describe, expect, test } from 'vitest';
import { isLong } from '../../../long-tests.js';
import type { EnvState } from '../../../../env/environments/environment.js';
import { makeVec } from '../../../../env/environments/vector/make-vec.js';
import {
  makeProcessVec,
  type ProcessVectorEnv,
} from '../../../../env/environments/vector/process-vector-env.js';
import type { AutoresetMode } from '../../../../env/environments/vector/vector-environment.js';
import { SubEnvironmentError } from '../../../../env/errors.js';
import { createRng } from '../../../../env/random.js';
import { isRunning, processesWith } from '../../processes/running.js';
import { code, expectEqual } from '../wrappers/wrapped-play.js';
import { builtModule } from '../../../package/built-module.js';

const ID = 'gess/ConnectFour-v0';
const FAILING = pathToFileURL(join(import.meta.dirname, 'failing-environments.mjs')).href;

const made: ProcessVectorEnv<unknown>[] = [];

/** The processes of vectors that this process has made. */
function runningWorkers(): readonly string[] {
  return processesWith('process-worker.js').filter((line) => line.endsWith(` ${process.pid}`));
}

/** A vector that is closed when the test ends, however it ends. */
async function processes(...args: Parameters<typeof makeProcessVec>): Promise<ProcessVectorEnv<unknown>> {
  const envs = await makeProcessVec(...args);
  made.push(envs);
  return envs;
}

afterEach(async () => {
  for (const envs of made.splice(0)) await envs.close();
});

test.each<{ autoreset: AutoresetMode; copy: boolean; threads: boolean }>([
  { autoreset: 'next-step', copy: true, threads: false },
  { autoreset: 'same-step', copy: false, threads: false },
  { autoreset: 'disabled', copy: true, threads: false },
  { autoreset: 'next-step', copy: true, threads: true },
  { autoreset: 'same-step', copy: false, threads: true },
  { autoreset: 'disabled', copy: true, threads: true },
])('processes and threads have the same results as this one: %o', async ({ autoreset, copy, threads }) => {
  const kwargs = {
    numEnvs: 3,
    autoreset,
    copy,
    opponent: 'random',
    renderMode: 'ansi',
    wrappers: [{ name: 'recordEpisodeStatistics', options: {} }],
  } as const;
  const here = makeVec(ID, kwargs);
  const there = await processes(ID, kwargs, { processes: 2, threads });
  expect(there.pids).toHaveLength(threads ? 0 : 2);
  expect(there.spec).toEqual(here.spec);
  expect(there.observationSpace.equals(here.observationSpace)).toBe(true);
  expect(there.actionSpace.equals(here.actionSpace)).toBe(true);
  expect(there.metadata).toEqual(here.metadata);
  const rng = createRng(4);
  let results = here.reset({ seed: 4 });
  expectEqual(await there.reset({ seed: 4 }), results);
  for (let step = 0; step < 60; step++) {
    const actions = results.infos.legalActions.map(
      (legal) => legal[rng.integer(Math.max(1, legal.length))] ?? 0,
    );
    const stepped = here.step(actions);
    results = stepped;
    expectEqual(await there.step(actions), stepped);
    const resetMask = stepped.terminations.map((ended, index) => ended | stepped.truncations[index]!);
    if (autoreset !== 'disabled' || !resetMask.includes(1)) continue;
    results = here.reset({ resetMask });
    expectEqual(await there.reset({ resetMask }), results);
  }
  expect(await there.render()).toEqual(here.render());
  expect(await there.call('episodeCount')).toEqual(here.call('episodeCount'));
  const saved = await there.save();
  expectEqual(saved, here.save());
  await there.reset();
  await there.restore(JSON.parse(JSON.stringify(saved)) as EnvState);
  expectEqual(await there.save(), saved);
});

describe('errors', () => {
  test.each([false, true])('of an environment carry its index; threads: %s', async (threads) => {
    const options = { processes: 2, modules: [FAILING], threads };
    const envs = await processes('test/Failing', { numEnvs: 4 }, options);
    await envs.reset();
    await expect(envs.step([0, 0, 0, 99])).rejects.toThrow(
      expect.objectContaining({ code: 'illegal-action', index: 3 }),
    );
    await expect(envs.step([0, 0, 0, 0])).rejects.toThrow(code('reset-needed'));
    await envs.reset();
    const failure: unknown = await envs.step([0, 0, 5, 5]).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(SubEnvironmentError);
    expect(failure).toMatchObject({
      code: 'failed',
      index: 2,
      message: 'environment 2: column 5 is broken',
      cause: { name: 'TypeError', message: 'column 5 is broken' },
    });
    await envs.reset();
    await envs.step([0, 0, 0, 0]);
  });

  test.each([false, true])(
    'of one that ends name its environments and end all; threads: %s',
    async (threads) => {
      const options = { processes: 2, modules: [FAILING], threads };
      const envs = await processes('test/Failing', { numEnvs: 4 }, options);
      await envs.reset();
      const died = expect.objectContaining({
        code: 'worker-died',
        message: expect.stringMatching(/environments 2 to 3 ended with exit code 7/) as string,
      }) as Error;
      await expect(envs.step([0, 0, 6, 0])).rejects.toThrow(died);
      expect(envs.pids.map(isRunning)).toEqual(threads ? [] : [false, false]);
      await expect(envs.reset()).rejects.toThrow(died);
      await envs.close();
    },
  );

  test('of a process that is killed from outside', async () => {
    const envs = await processes(ID, { numEnvs: 2 }, { processes: 2 });
    await envs.reset();
    process.kill(envs.pids[1]!, 'SIGKILL');
    await expect(envs.step([0, 0])).rejects.toThrow(
      expect.objectContaining({
        code: 'worker-died',
        message: expect.stringMatching(/environment 1 was ended by SIGKILL/) as string,
      }),
    );
  });

  test.each([false, true])(
    'of values that messages cannot carry end nothing; threads: %s',
    async (threads) => {
      const envs = await processes(ID, { numEnvs: 2 }, { processes: 2, threads });
      const here = makeVec(ID, { numEnvs: 2 });
      for (const bad of [Symbol('bad'), () => 1, { act: () => 1 }, 'bad', null, 1n] as unknown as number[]) {
        await envs.reset({ seed: 1 });
        here.reset({ seed: 1 });
        const refused = { name: 'SubEnvironmentError', code: 'illegal-action', index: 1 };
        await expect(envs.step([0, bad])).rejects.toMatchObject(refused);
        expect(() => here.step([0, bad])).toThrow(expect.objectContaining(refused));
      }
      await envs.reset({ seed: 1 });
      await expect(envs.call('render', () => 1)).rejects.toThrow(code('vector-options'));
      await expect(envs.call('observationSpace')).rejects.toThrow(code('vector-options'));
      expectEqual((await envs.step([0, 1])).rewards, Float64Array.of(0, 0));
    },
  );

  test.each([false, true])('of a state leave all environments as they were; threads: %s', async (threads) => {
    const envs = await processes(ID, { numEnvs: 2, copy: !threads }, { processes: 2, threads });
    await envs.reset({ seed: 1 });
    const old = await envs.save();
    await envs.step([1, 2]);
    const saved = await envs.save();
    const [state] = old['envs'] as EnvState[];
    await expect(envs.restore({ ...old, envs: [state, { ...state, rules: '' }] })).rejects.toThrow(
      expect.objectContaining({ code: 'state-mismatch', index: 1 }),
    );
    expectEqual(await envs.save(), saved);
  });

  test('of environments that cannot be made have their codes, and leave no process', async () => {
    await expect(makeProcessVec(ID, { numEnvs: 0 })).rejects.toThrow(code('vector-options'));
    await expect(makeProcessVec(ID, { numEnvs: 1 }, { processes: 2 })).rejects.toThrow(
      code('vector-options'),
    );
    for (const loadMs of [0, -1, 0.5, NaN, 2 ** 31, Infinity, 'x' as unknown as number]) {
      await expect(makeProcessVec(ID, { numEnvs: 1 }, { loadMs })).rejects.toThrow(code('vector-options'));
    }
    for (const options of [null, 'x', { process: 1 }, { threads: 1 }, { modules: 'x' }] as object[]) {
      await expect(makeProcessVec(ID, { numEnvs: 1 }, options)).rejects.toThrow(code('vector-options'));
    }
    await expect(makeProcessVec('gess/Gess', { numEnvs: 1, rules: 'none' })).rejects.toThrow(
      code('rules-unknown'),
    );
    const unsendable = { numEnvs: 1, rules: (() => 1) as unknown as string };
    await expect(makeProcessVec(ID, unsendable)).rejects.toThrow(code('vector-options'));
    expect(runningWorkers()).toEqual([]);
  });

  test('of a second call at a time, or a call after close', async () => {
    const envs = await processes(ID, { numEnvs: 2 }, { processes: 1 });
    const first = envs.reset();
    await expect(envs.reset()).rejects.toThrow(code('vector-options'));
    await first;
    await expect(envs.call('reset')).rejects.toThrow(code('vector-options'));
    await envs.close();
    await envs.close();
    await expect(envs.reset()).rejects.toThrow(code('env-closed'));
  });
});

test('a rejected state leaves the observations in shared memory as they were', async () => {
  const envs = await makeProcessVec(ID, { numEnvs: 2, copy: false }, { processes: 2, threads: true });
  made.push(envs as ProcessVectorEnv<unknown>);
  await envs.reset({ seed: 1 });
  const { observations } = await envs.step([1, 2]);
  expect(observations.observation.buffer).toBeInstanceOf(SharedArrayBuffer);
  const before = observations.observation.slice();
  const saved = await envs.save();
  const [state] = saved['envs'] as EnvState[];
  const wrong = { ...saved, envs: [state, { ...state, rules: '' }] };
  await expect(envs.restore(wrong)).rejects.toThrow(expect.objectContaining({ code: 'state-mismatch' }));
  expect(observations.observation).toEqual(before);
  await envs.restore(saved);
  expect(observations.observation.every((value) => value === 0)).toBe(true);
});

test.each([
  ['that waits forever', 'await new Promise(() => {});', false, 'expected it to load within 0.5 s'],
  ['that waits forever', 'await new Promise(() => {});', true, 'expected it to load within 0.5 s'],
  ['that never pauses', 'for (;;);', false, 'expected it to load within 0.5 s, found that it is still busy'],
  ['that never pauses', 'for (;;);', true, 'expected it to load within 0.5 s, found that it is still busy'],
  ['that fails', "throw new Error('no luck');", false, 'no luck'],
])('a module %s is refused: %s; threads: %s', async (_name, code, threads, message) => {
  const options = { modules: [`data:text/javascript,${code}`], threads, loadMs: 500 };
  await expect(processes(ID, { numEnvs: 1 }, options)).rejects.toMatchObject({
    code: 'vector-options',
    message: expect.stringContaining(message) as string,
  });
});

test('modules make the opponents', async () => {
  const kwargs = { numEnvs: 1, opponent: 'leftmost', side: 'first' } as const;
  const envs = await processes(ID, kwargs, { modules: [FAILING] });
  await envs.reset();
  await envs.step([6]);
  expect(JSON.stringify(await envs.save())).toContain('"actions":[6,0]');
});

test('close ends all processes, even a busy one', async () => {
  const envs = await makeProcessVec(ID, { numEnvs: 3 }, { processes: 2 });
  await envs.reset();
  await envs.step([0, 1, 2]);
  expect(envs.pids.map(isRunning)).toEqual([true, true]);
  expect(runningWorkers()).toHaveLength(2);
  await envs.close();
  expect(envs.pids.map(isRunning)).toEqual([false, false]);
  const busy = await makeProcessVec(ID, { numEnvs: 1 });
  const answer = busy.reset().catch((error: unknown) => error);
  await busy.close();
  expect(busy.pids.map(isRunning)).toEqual([false]);
  await answer;
});

test('close ends a process that was stopped', async () => {
  const envs = await makeProcessVec(ID, { numEnvs: 2 }, { processes: 2 });
  await envs.reset();
  process.kill(envs.pids[1]!, 'SIGSTOP');
  await envs.close();
  expect(envs.pids.map(isRunning)).toEqual([false, false]);
});

test.runIf(isLong)('a program that does not close its vector ends, and so do its processes', () => {
  const program = `
    import { makeProcessVec } from '${pathToFileURL(builtModule('env/environments/vector/process-vector-env.js')).href}';
    const envs = await makeProcessVec('${ID}', { numEnvs: 2 }, { processes: 2 });
    await envs.reset();
    console.log(JSON.stringify(envs.pids));
  `;
  const printed = execFileSync(process.execPath, ['--input-type=module', '--eval', program], {
    encoding: 'utf8',
  });
  const pids = JSON.parse(printed) as number[];
  expect(pids).toHaveLength(2);
  // They end when they notice the closed channel: soon, but perhaps after this program.
  return expect.poll(() => pids.filter(isRunning), { timeout: 10_000 }).toEqual([]);
});
