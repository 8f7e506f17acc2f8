import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isLong } from '../../../long-tests.js';
import type { Json } from '../../../../env/environments/env-spec.js';
import type { Environment, TurnEnvironment } from '../../../../env/environments/environment.js';
import { make } from '../../../../env/environments/make.js';
import { passiveChecker } from '../../../../env/environments/wrappers/passive-checker.js';
import { recordEpisodes } from '../../../../env/environments/wrappers/record-episodes.js';
import {
  WRAPPER_NAMES,
  wrapStepsBySpec,
  wrapTurnsBySpec,
} from '../../../../env/environments/wrappers/wrapper-table.js';
import { createRng } from '../../../../env/random.js';
import {
  drawAction,
  expectEqual,
  playEpisodes,
  playSingleEpisodes,
  tellAll,
  throughJson,
} from './wrapped-play.js';

/** Every wrapper with non-trivial options. */
const WRAPPERS: readonly (readonly [name: string, options: Readonly<Record<string, Json>>])[] = [
  ['timeLimit', { maxEpisodeSteps: 9 }],
  ['orderEnforcing', {}],
  ['illegalMovePolicy', { policy: 'throw' }],
  ['illegalMovePolicy', { policy: 'lose' }],
  ['illegalMovePolicy', { policy: 'ignore' }],
  ['maskInInfo', {}],
  ['maskInObservation', {}],
  ['recordEpisodeStatistics', { bufferLength: 3 }],
  ['recordFrames', {}],
  ['flattenObservation', {}],
  ['symmetryAugmentation', { per: 'episode' }],
  ['symmetryAugmentation', { per: 'step' }],
  ['transformReward', { scale: 2, shift: -0.5, max: 1 }],
  ['passiveChecker', {}],
];

/** Transparent wrappers, which show the environment unchanged. */
const TRANSPARENT: readonly (readonly [name: string, options: Readonly<Record<string, Json>>])[] = [
  ['timeLimit', { maxEpisodeSteps: 10_000 }],
  ['orderEnforcing', {}],
  ['illegalMovePolicy', { policy: 'throw' }],
  ['illegalMovePolicy', { policy: 'lose' }],
  ['illegalMovePolicy', { policy: 'ignore' }],
  ['recordFrames', {}],
  ['transformReward', {}],
  ['passiveChecker', {}],
];

/** Random games of Quess are long, so they are cut short. */
type Game = readonly [id: string, kwargs: Readonly<Record<string, number>>];

const IDS: readonly Game[] = [
  ['gess/ConnectFour-v0', {}],
  ['gess/Quess-v0', { plyLimit: 12 }],
];

function makeTurns([id, kwargs]: Game): TurnEnvironment {
  return make(id, { ...kwargs, renderMode: 'ansi' });
}

function makeSingle([id, kwargs]: Game): Environment {
  return make(id, { ...kwargs, renderMode: 'ansi', opponent: 'random' });
}

test('all wrappers of the table are tested', () => {
  expect([...new Set(WRAPPERS.map(([name]) => name))].sort()).toEqual([...WRAPPER_NAMES].sort());
});

/** Random episodes for each law. */
const EPISODES = isLong ? 100 : 25;

describe.each(IDS)('%s', (...game) => {
  describe.each(WRAPPERS)('%s %o', (name, options) => {
    test(`${EPISODES} random episodes satisfy the checker`, () => {
      const inner = passiveChecker(makeTurns(game));
      const env = passiveChecker(wrapTurnsBySpec(inner, [{ name, options }]));
      expect(playEpisodes(env, EPISODES, createRng(1, name))).toBeGreaterThan(3 * EPISODES);
    });

    test(`so do ${EPISODES} of one agent`, () => {
      const inner = passiveChecker(makeSingle(game));
      const env = passiveChecker(wrapStepsBySpec(inner, [{ name, options }]));
      expect(playSingleEpisodes(env, EPISODES, createRng(1, name))).toBeGreaterThan(3 * EPISODES);
    });

    test('constant facts are unchanged, and the wrapper is in the spec', () => {
      const inner = makeTurns(game);
      const env = wrapTurnsBySpec(inner, [{ name, options }]);
      expect(env.metadata).toBe(inner.metadata);
      expect(env.renderMode).toBe('ansi');
      expect(env.possibleAgents).toBe(inner.possibleAgents);
      const [agent] = env.possibleAgents as [string];
      expect(env.actionSpace(agent)).toBe(inner.actionSpace(agent));
      expect(env.observationSpace(agent)).toBe(env.observationSpace(agent));
      expect(env.spec).toMatchObject({ ...inner.spec, wrappers: [{ name, options }] });
      const again = wrapTurnsBySpec(makeTurns(game), throughSpec(env));
      expect(JSON.stringify(again.spec)).toBe(JSON.stringify(env.spec));
      expect(() => env.observationSpace('nobody')).toThrow(
        expect.objectContaining({ code: 'agent-unknown' }),
      );
    });

    test('an episode resumes from a saved state at any point', () => {
      fc.assert(
        fc.property(fc.nat(), fc.nat({ max: 20 }), (seed, before) => {
          const rng = createRng(seed, 'play');
          const env = wrapTurnsBySpec(makeTurns(game), [{ name, options }]);
          env.reset({ seed });
          for (let i = 0; i < before && env.agents.length > 0; i++) env.step(drawAction(env, rng));
          const other = wrapTurnsBySpec(makeTurns(game), [{ name, options }]);
          other.reset({ seed: 7 });
          other.restore(throughJson(env.save()));
          while (env.agents.length > 0) {
            expectEqual(tellAll(other), tellAll(env));
            const action = drawAction(env, rng);
            env.step(action);
            other.step(action);
          }
          env.reset();
          other.reset();
          expectEqual(tellAll(other), tellAll(env));
        }),
        { numRuns: 3 },
      );
    });

    test('an invalid state changes nothing', () => {
      const env = wrapTurnsBySpec(makeTurns(game), [{ name, options }]);
      env.reset({ seed: 1 });
      env.step(drawAction(env, createRng(1)));
      const before = tellAll(env);
      expect(() => {
        env.restore({ version: 1, wrapper: name, own: 'nothing', env: 3 });
      }).toThrow(expect.objectContaining({ code: 'state-mismatch' }));
      expect(tellAll(env)).toEqual(before);
    });
  });

  test.each(TRANSPARENT)('%s %o is transparent', (name, options) => {
    const plain = makeTurns(game);
    const env = wrapTurnsBySpec(makeTurns(game), [{ name, options }]);
    expectEqualPlay(plain, env);
  });

  test('a recorder of episodes is transparent', () => {
    const episodes: unknown[] = [];
    const recorded = recordEpisodes(makeTurns(game), { write: (episode) => episodes.push(episode) });
    expectEqualPlay(makeTurns(game), recorded);
    expect(episodes).toHaveLength(10);
  });

  test('an illegal action throws through all wrappers but those with a policy for it', () => {
    const illegal = game[0] === 'gess/ConnectFour-v0' ? { position: FULL_COLUMN, action: 0 } : { action: 0 };
    for (const [name, options] of WRAPPERS) {
      if (options['policy'] === 'lose' || options['policy'] === 'ignore') continue;
      if (name === 'symmetryAugmentation') continue;
      const env = wrapTurnsBySpec(makeTurns(game), [{ name, options }]);
      env.reset({ seed: 1, position: illegal.position });
      const before = tellAll(env);
      expect(() => {
        env.step(illegal.action);
      }).toThrow(expect.objectContaining({ code: 'illegal-action' }));
      expect(tellAll(env)).toEqual(before);
    }
  });
});

const FULL_COLUMN = 'y....../r....../y....../r....../y....../r......';

function throughSpec(env: TurnEnvironment<unknown>): { name: string; options: Record<string, Json> }[] {
  const spec = JSON.parse(JSON.stringify(env.spec)) as {
    wrappers: { name: string; options: Record<string, Json> }[];
  };
  return spec.wrappers;
}

function expectEqualPlay(plain: TurnEnvironment<unknown>, env: TurnEnvironment<unknown>): void {
  const rng = createRng(3);
  for (let episode = 0; episode < 10; episode++) {
    const options = episode === 0 ? { seed: 5 } : {};
    plain.reset(options);
    env.reset(options);
    expectEqual(tellAll(env), tellAll(plain));
    while (plain.agents.length > 0) {
      const action = drawAction(plain, rng);
      plain.step(action);
      env.step(action);
      expectEqual(tellAll(env), tellAll(plain));
    }
  }
}
