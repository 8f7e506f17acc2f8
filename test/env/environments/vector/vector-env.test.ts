import { describe, expect, test } from 'vitest';
import {
  assertConforms,
  checkVectorEnvironment,
} from '../../../../env/environments/conformance/conformance.js';
import type { EnvState } from '../../../../env/environments/environment.js';
import { make, makeFromSpec, specOf } from '../../../../env/environments/make.js';
import { makeVec } from '../../../../env/environments/vector/make-vec.js';
import type {
  AutoresetMode,
  VectorEnvironment,
} from '../../../../env/environments/vector/vector-environment.js';
import { VectorEnv } from '../../../../env/environments/vector/vector-env.js';
import { recordEpisodeStatistics } from '../../../../env/environments/wrappers/record-episode-statistics.js';
import { timeLimit } from '../../../../env/environments/wrappers/time-limit.js';
import { createRng, type Rng } from '../../../../env/random.js';
import { code, expectEqual } from '../wrappers/wrapped-play.js';

const MODES: readonly AutoresetMode[] = ['next-step', 'same-step', 'disabled'];
const ID = 'gess/ConnectFour-v0';

/** A legal action of each environment; 0 if there is none. */
function draw(infos: { readonly legalActions: readonly Int32Array[] }, rng: Rng): Int32Array {
  return Int32Array.from(infos.legalActions, (legal) => legal[rng.integer(Math.max(1, legal.length))] ?? 0);
}

/** Plays a number of steps and returns a copy of all results. */
function play(
  envs: VectorEnvironment,
  steps: number,
  told: ReturnType<typeof envs.reset>,
  rng: Rng,
): unknown[] {
  const seen: unknown[] = [structuredClone(told)];
  let { infos } = told;
  let over = new Uint8Array(envs.numEnvs);
  for (let step = 0; step < steps; step++) {
    if (envs.autoreset === 'disabled' && over.includes(1)) {
      ({ infos } = envs.reset({ resetMask: over }));
    }
    const result = envs.step(draw(infos, rng));
    infos = result.infos;
    over = result.terminations.map((ended, index) => ended | result.truncations[index]!);
    seen.push(structuredClone(result));
  }
  return seen;
}

describe.each(MODES)('%s', (autoreset) => {
  test.each([
    { id: ID, opponent: 'random', copy: true },
    { id: ID, opponent: 'self', copy: false },
    { id: ID, opponent: 'random', plyLimit: 9, copy: false },
    { id: 'gess/Quess', opponent: 'random', plyLimit: 40, copy: true },
  ])('each behaves as it does alone: %o', ({ id, copy, ...kwargs }) => {
    assertConforms(
      checkVectorEnvironment(
        () => makeVec(id, { numEnvs: 3, autoreset, copy, ...kwargs }),
        () => make(id, kwargs),
        { seed: 5 },
      ),
    );
  });

  test('a saved state resumes in another vector', () => {
    const create = (): VectorEnvironment => makeVec(ID, { numEnvs: 3, autoreset, opponent: 'random' });
    for (const steps of [4, 9, 15, 23]) {
      const [envs, other] = [create(), create()];
      play(envs, steps, envs.reset({ seed: steps }), createRng(1));
      const saved = JSON.parse(JSON.stringify(envs.save())) as EnvState;
      other.restore(saved);
      // Resets finished episodes in both if the vector does not.
      const resetAll = (one: VectorEnvironment): ReturnType<typeof one.reset> => one.reset();
      if (autoreset === 'disabled') expectEqual(resetAll(other), resetAll(envs));
      for (let step = 0; step < 30; step++) {
        const attempt = (one: VectorEnvironment): unknown => {
          try {
            return structuredClone(one.step([step % 7, (step * 3) % 7, (step * 5) % 7]));
          } catch (error) {
            one.reset();
            return error instanceof Error ? error.message : error;
          }
        };
        expectEqual(attempt(other), attempt(envs));
      }
    }
  });
});

test('returned arrays belong to the caller', () => {
  const create = (): VectorEnvironment => makeVec(ID, { numEnvs: 2, opponent: 'random' });
  const [envs, untouched] = [create(), create()];
  const first = envs.reset({ seed: 1 });
  const kept = structuredClone(first);
  const told = envs.step([3, 4]);
  expectEqual(first, kept);
  told.observations.observation.fill(7);
  told.observations.actionMask.fill(0);
  for (const legal of told.infos.legalActions) legal.fill(0);
  untouched.reset({ seed: 1 });
  untouched.step([3, 4]);
  const resetMask = [1, 0];
  expectEqual(envs.reset({ resetMask }), untouched.reset({ resetMask }));
});

test('arrays belong to the vector without copies', () => {
  const envs = makeVec(ID, { numEnvs: 2, copy: false });
  const { observations } = envs.reset({ seed: 1 });
  expect(envs.step([0, 1]).observations).toBe(observations);
});

test('the end of an episode, by mode', () => {
  // Red, the first player, wins by its fourth stone in column 0 and 1 in turn.
  const moves = '0 1 0 1 0 1';
  const start = (autoreset: AutoresetMode): VectorEnvironment => {
    const envs = makeVec(ID, { numEnvs: 2, autoreset });
    envs.reset({ moves });
    return envs;
  };
  const next = start('next-step');
  expect(next.step([0, 5])).toMatchObject({
    rewards: Float64Array.of(1, 0),
    terminations: Uint8Array.of(1, 0),
    infos: { ply: Float64Array.of(7, 7), _ply: Uint8Array.of(1, 1), agent: ['yellow', 'yellow'] },
  });
  expect(next.step([0, 5])).toMatchObject({
    rewards: Float64Array.of(0, 0),
    terminations: Uint8Array.of(0, 0),
    infos: { ply: Float64Array.of(0, 8) },
  });

  const same = start('same-step').step([0, 5]);
  expect(same).toMatchObject({
    rewards: Float64Array.of(1, 0),
    terminations: Uint8Array.of(1, 0),
    infos: {
      ply: Float64Array.of(0, 7),
      _finalObservation: Uint8Array.of(1, 0),
      finalInfo: { ply: Float64Array.of(7, 0), _ply: Uint8Array.of(1, 0), agent: ['yellow', null] },
    },
  });
  const last = next.singleObservationSpace;
  expect(last.contains(same.infos.finalObservation![0])).toBe(true);
  expect(same.infos.finalObservation![1]).toBeNull();

  const disabled = start('disabled');
  const { observations } = disabled.step([0, 5]);
  expect(() => disabled.step([0, 0])).toThrow(code('reset-needed'));
  const reset = disabled.reset({ resetMask: [1, 0], moves: '4' });
  expect(reset.infos.ply).toEqual(Float64Array.of(1, 7));
  const half = observations.observation.length / 2;
  expect(reset.observations.observation.slice(half)).toEqual(observations.observation.slice(half));
  expect(disabled.step([0, 0]).infos.ply).toEqual(Float64Array.of(2, 8));
});

test('seeds: a number counts up, a list has one for each environment', () => {
  const envs = makeVec(ID, { numEnvs: 2, opponent: 'random' });
  const first = envs.reset({ seed: 8 });
  expectEqual(envs.reset({ seed: [8, 9] }), first);
  const alone = make(ID, { opponent: 'random' });
  alone.reset({ seed: 9 });
  expect(envs.save()['envs']).toContainEqual(alone.save());
  expect(() => envs.reset({ seed: Number.MAX_SAFE_INTEGER })).toThrow(code('seed-range'));
  expect(() => envs.reset({ seed: [1] })).toThrow(code('vector-options'));
  // A refusal changes nothing.
  envs.step([0, 0]);
});

test('members of the environments can be called, through wrappers', () => {
  const envs = new VectorEnv(
    [20, 30].map((plyLimit) => () => {
      const limited = timeLimit(make(ID, { opponent: 'random', plyLimit }), { maxEpisodeSteps: 6 });
      return recordEpisodeStatistics(limited);
    }),
  );
  play(envs, 30, envs.reset({ seed: 1 }), createRng(2));
  expect(envs.call('plyLimit')).toEqual([20, 30]);
  expect(envs.call('episodeCount').every((count) => (count as number) > 1)).toBe(true);
  expect(envs.call('save')).toHaveLength(2);
  expect(() => envs.call('nothing')).toThrow(expect.objectContaining({ code: 'vector-options', index: 0 }));
});

test('makeVec wraps each environment, and the spec makes an equal one', () => {
  const envs = makeVec(ID, {
    numEnvs: 2,
    opponent: 'random',
    renderMode: 'ansi',
    autoreset: 'same-step',
    wrappers: [
      { name: 'recordEpisodeStatistics', options: {} },
      { name: 'timeLimit', options: { maxEpisodeSteps: 3 } },
    ],
  });
  envs.reset({ seed: 1 });
  const [shown] = envs.render();
  expect(shown).toContain('.');
  const single = makeFromSpec(specOf(envs)) as ReturnType<typeof make> & { step(action: number): unknown };
  single.reset({ seed: 1 });
  expect(single.render()).toBe(shown);
  const seen = [1, 2, 3].map(() => envs.step([3, 3]));
  expect(seen[2]!.truncations).toEqual(Uint8Array.of(1, 1));
});

test('nested infos are batched with their masks', () => {
  const envs = makeVec(ID, { numEnvs: 2, wrappers: [{ name: 'recordEpisodeStatistics', options: {} }] });
  envs.reset({ moves: '0 1 0 1 0 1' });
  const { infos } = envs.step([0, 5]);
  expect(infos['_episode']).toEqual(Uint8Array.of(1, 0));
  expect(infos['episode']).toEqual({
    r: Float64Array.of(1, 0),
    _r: Uint8Array.of(1, 0),
    l: Float64Array.of(1, 0),
    _l: Uint8Array.of(1, 0),
  });
});

test('actions can be sampled from the action space', () => {
  const envs = makeVec('gess/Quess', { numEnvs: 3, autoreset: 'same-step' });
  expect(String(envs.actionSpace)).toMatch(/^MultiDiscrete\(\[(\d+), \1, \1\]\)$/);
  const rng = createRng(3);
  let { infos } = envs.reset({ seed: 1 });
  for (let step = 0; step < 20; step++) {
    const options = infos.legalActions.map((legalActions) => ({ legalActions }));
    ({ infos } = envs.step(envs.actionSpace.sample(rng, options)));
  }
  expect(infos.ply).toEqual(Float64Array.of(20, 20, 20));
});
