import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { connectFour } from '../../../env/connect-four/connect-four.js';
import { firstDifference } from '../../../env/environments/conformance/difference.js';
import type { EnvState, Observation } from '../../../env/environments/environment.js';
import { TurnEnv } from '../../../env/environments/turn-env.js';
import type { Game } from '../../../env/game.js';
import { createGess } from '../../../env/gess/gess.js';
import { createQuess } from '../../../env/quess/quess.js';
import { createRng } from '../../../env/random.js';

const GAMES: readonly Game<unknown>[] = [
  connectFour,
  createGess({ plyLimit: 30 }),
  createGess({ rules: 'osu,ko=superko', plyLimit: 30 }),
  createQuess({ plyLimit: 60 }),
  createQuess({ rules: 'standard,clock=10', plyLimit: 60 }),
];
const CASES = GAMES.map((game) => [`${game.id} by ${game.rules}`, game] as const);

/** Plays the step that `draw`, in `[0, 1)`, selects: an action that takes up to a second, or leaving. */
function play(env: TurnEnv, draw: number): void {
  const { info, terminated, truncated } = env.last();
  const action = info.legalActions[Math.floor(draw * info.legalActions.length)] ?? null;
  env.step(
    terminated || truncated ? null : action,
    env.game.spendTime && action !== null ? { seconds: draw } : {},
  );
}

/** Plays up to `steps` of an episode. */
function playSteps(env: TurnEnv, seed: number, steps: number): void {
  const rng = createRng(seed, 'test');
  for (let step = 0; step < steps && env.agents.length > 0; step++) play(env, rng.float());
}

/** A copy of everything visible. */
function look(env: TurnEnv): unknown {
  return structuredClone({
    agents: env.agents,
    agentSelection: env.agentSelection,
    rewards: env.rewards,
    cumulativeRewards: env.cumulativeRewards,
    terminations: env.terminations,
    truncations: env.truncations,
    infos: env.infos,
    observations: env.agents.map((agent) => env.observe(agent)),
    last: env.agents.length === 0 ? null : env.last(),
    state: env.cloneState(),
    rng: env.rng.state(),
  });
}

const steps = fc.integer({ min: 0, max: 70 });
const seed = fc.nat();

describe.each(CASES)('TurnEnv of %s', (_name, game) => {
  test('reused arrays show the same as new ones', () => {
    fc.assert(
      fc.property(seed, (picks) => {
        const fresh = new TurnEnv(game);
        const own = new TurnEnv(game, { copy: false });
        const rng = createRng(picks, 'test');
        fresh.reset();
        own.reset();
        while (fresh.agents.length > 0) {
          expect(firstDifference(look(own), look(fresh))).toBeNull();
          const draw = rng.float();
          play(fresh, draw);
          play(own, draw);
        }
        expect(own.agents).toEqual([]);
      }),
      { numRuns: 5 },
    );
  });

  test('an observation shows the position at which it was made, even if it is read later', () => {
    fc.assert(
      fc.property(seed, steps, (picks, count) => {
        const env = new TurnEnv(game);
        const rng = createRng(picks, 'test');
        const unread: Observation[] = [];
        const readAtOnce: Observation[] = [];
        env.reset();
        for (let step = 0; step < count && env.agents.length > 0; step++) {
          unread.push(...env.agents.map((agent) => env.observe(agent)));
          readAtOnce.push(...env.agents.map((agent) => structuredClone(env.observe(agent))));
          // Half of it is read before the position changes.
          const half = step % 2 === 0 ? 'observation' : 'actionMask';
          expect(unread.at(-1)![half].length).toBeGreaterThan(0);
          play(env, rng.float());
        }
        env.reset();
        playSteps(env, picks + 1, 3);
        expect(firstDifference(unread, readAtOnce)).toBeNull();
      }),
      { numRuns: 5 },
    );
  });

  test('observations are in their spaces, and actions sampled by the mask are legal', () => {
    fc.assert(
      fc.property(seed, steps, (picks, count) => {
        const env = new TurnEnv(game);
        env.reset({ seed: picks });
        playSteps(env, picks, count);
        for (const agent of env.agents) {
          expect(env.observationSpace(agent).violation(env.observe(agent))).toBeNull();
          expect(env.observationSpace(agent)).toBe(env.observationSpace(agent));
        }
        if (env.agents.length !== 2 || env.last().terminated || env.last().truncated) return;
        const { actionMask } = env.last().observation;
        env.step(env.actionSpace(env.agentSelection).sample(env.rng, { mask: actionMask }));
      }),
      { numRuns: 10 },
    );
  });

  test('a saved episode continues equally in another environment', () => {
    fc.assert(
      fc.property(seed, steps, steps, (picks, before, after) => {
        const env = new TurnEnv(game);
        env.reset({ seed: picks });
        env.rng.float();
        playSteps(env, picks, before);
        const saved = JSON.parse(JSON.stringify(env.save())) as EnvState;

        const other = new TurnEnv(game);
        other.reset({ seed: 1 });
        playSteps(other, picks + 1, 5);
        other.restore(saved);
        expect(firstDifference(look(other), look(env))).toBeNull();
        expect(other.save()).toEqual(saved);
        for (const each of [env, other]) playSteps(each, picks + 2, after);
        expect(firstDifference(look(other), look(env))).toBeNull();
      }),
      { numRuns: 10 },
    );
  });
});
