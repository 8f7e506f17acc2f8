import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { isLong } from '../../long-tests.js';
import type { TurnEnvironment } from '../../../env/environments/environment.js';
import { make } from '../../../env/environments/make.js';
import { makeVec } from '../../../env/environments/vector/make-vec.js';
import { createRng } from '../../../env/random.js';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as (options?: { type: 'minor' }) => void;

/** Used bytes of the heap. */
function used(): number {
  collect();
  return process.memoryUsage().heapUsed;
}

/** Random play that reads everything at each step; returns a sum, so that no read can be optimised away. */
function play(env: TurnEnvironment, steps: number): number {
  const rng = createRng(1, 'allocation');
  const space = env.actionSpace(env.agentSelection);
  let sum = 0;
  env.reset();
  for (let step = 0; step < steps;) {
    const { observation, info, terminated, truncated } = env.last();
    sum += observation.observation[0]! + observation.actionMask[0]!;
    if (terminated || truncated) {
      env.reset();
    } else {
      env.step(space.sample(rng, { legalActions: info.legalActions }));
      step += 1;
    }
  }
  return sum;
}

const STEPS = isLong ? 1_000_000 : 300_000;

test(`${STEPS} steps do not grow the heap`, () => {
  const env = make('gess/ConnectFour', { copy: false });
  play(env, 5_000);
  const before = used();
  play(env, STEPS);
  // Compiled code takes some memory; a leak of a byte per step would take more.
  expect(used() - before).toBeLessThan(300_000);
});

/**
 * Bytes per step: a turn of five fields, an info of two, the options of `sample` and, before compilation, those
 * of `step`; the same for each reset. An array would be far more: the legal actions of Gess take 1,800.
 */
const MAX_ALLOCATED = 300;

/** Bytes per step: less than the smallest hidden class, which V8 keeps until a major collection. */
const MAX_SURVIVING = 40;

test.each(['gess/ConnectFour', 'gess/Quess', 'gess/Gess'])('%s allocates only what it returns', (id) => {
  const env = make(id, { copy: false });
  let least = Infinity;
  // Compilation, slow on a busy machine, also allocates.
  for (let attempt = 0; attempt < 20 && least > MAX_ALLOCATED; attempt++) {
    play(env, 1_000);
    collect();
    const before = process.memoryUsage().heapUsed;
    play(env, 1_000);
    least = Math.min(least, (process.memoryUsage().heapUsed - before) / 1_000);
  }
  expect(least).toBeLessThan(MAX_ALLOCATED);
});

test('unread observations do not outlive a minor collection', () => {
  const env = make('gess/Gess');
  const space = env.actionSpace('black');
  const rng = createRng(1, 'allocation');
  const keepNothing = (steps: number): void => {
    env.reset();
    for (let step = 0; step < steps; step++) {
      const { info, terminated } = env.last();
      if (terminated) env.reset();
      else env.step(space.sample(rng, { legalActions: info.legalActions }));
    }
  };
  let least = Infinity;
  for (let attempt = 0; attempt < 20 && least > MAX_SURVIVING; attempt++) {
    keepNothing(1_000);
    collect();
    const before = process.memoryUsage().heapUsed;
    keepNothing(1_000);
    collect({ type: 'minor' });
    least = Math.min(least, (process.memoryUsage().heapUsed - before) / 1_000);
  }
  expect(least).toBeLessThan(MAX_SURVIVING);
});

test('a vector does not grow the heap', () => {
  const envs = makeVec('gess/ConnectFour', { numEnvs: 4, autoreset: 'same-step', copy: false });
  const rng = createRng(1, 'allocation');
  const run = (steps: number): void => {
    let { infos } = envs.reset({ seed: 1 });
    for (let step = 0; step < steps; step++) {
      ({ infos } = envs.step(infos.legalActions.map((legal) => legal[rng.integer(legal.length)]!)));
    }
  };
  run(2_000);
  const before = used();
  run(10_000);
  // The smallest object per step and environment would be twice as much.
  expect(used() - before).toBeLessThan(300_000);
});
