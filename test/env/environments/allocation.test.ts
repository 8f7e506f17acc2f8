import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import type { TurnEnvironment } from '../../../env/environments/environment.js';
import { make, makeVec } from '../../../env/environments/make.js';
import { createRng } from '../../../env/random.js';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Bytes of the heap that are in use. */
function used(): number {
  collect();
  return process.memoryUsage().heapUsed;
}

/** Random play in which everything is read at each step; returns a sum, so that none of it can be left out. */
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

test('a million steps leave the heap as it was', () => {
  const env = make('gess/ConnectFour', { copy: false });
  play(env, 5_000);
  const before = used();
  play(env, 1_000_000);
  // A byte a step would be ten times as much; code that is compiled meanwhile is less.
  expect(used() - before).toBeLessThan(100_000);
});

test.each(['gess/ConnectFour', 'gess/Quess', 'gess/Gess'])('%s allocates only what it returns', (id) => {
  const env = make(id, { copy: false });
  play(env, 2_000);
  const bytes = Array.from({ length: 3 }, () => {
    collect();
    const before = process.memoryUsage().heapUsed;
    play(env, 1_000);
    return (process.memoryUsage().heapUsed - before) / 1_000;
  });
  // A turn of five fields, an info of two, and the options of `sample`; resets have such of their own.
  expect(Math.min(...bytes)).toBeLessThan(250);
});

test('a vector leaves the heap as it was', () => {
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
  expect(used() - before).toBeLessThan(100_000);
});
