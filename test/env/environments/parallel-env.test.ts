import { describe, expect, test } from 'vitest';
import { make } from '../../../env/environments/make.js';
import { toParallel } from '../../../env/environments/parallel-env.js';
import { createRng } from '../../../env/random.js';
import { code, connectFour, drawAction, expectEqual, leaveAll, RED_WINS } from './wrappers/wrapped-play.js';

describe('simultaneous agents', () => {
  test.each(['gess/ConnectFour', 'gess/Quess'])('observe the same as agents in turn: %s', (id) => {
    const kwargs = { plyLimit: 40, renderMode: 'ansi' } as const;
    const parallel = toParallel(make(id, kwargs));
    const turns = make(id, kwargs);
    const rng = createRng(1, 'parallel');
    for (let episode = 0; episode < 3; episode++) {
      const options = episode === 0 ? { seed: 1 } : {};
      const first = parallel.reset(options);
      turns.reset(options);
      const { agents } = turns;
      expect(parallel.agents).toEqual(agents);
      const told = (): object => ({
        observations: Object.fromEntries(agents.map((agent) => [agent, turns.observe(agent)])),
        infos: Object.fromEntries(
          agents.map((agent) => [agent, { ...turns.infos[agent], activeAgent: turns.agentSelection }]),
        ),
      });
      expectEqual(first, told());
      while (parallel.agents.length > 0) {
        const actor = turns.agentSelection;
        const action = drawAction(turns, rng)!;
        // The other agent's action is ignored, whatever it is.
        const others = Object.fromEntries(agents.map((agent) => [agent, agent === actor ? action : -1]));
        const step = parallel.step(others);
        turns.step(action);
        const { rewards, terminations, truncations } = turns;
        expectEqual(step, { ...told(), rewards, terminations, truncations });
        expect(parallel.render()).toBe(turns.render());
      }
      expect(leaveAll(turns)).toHaveLength(2);
    }
  });

  test('have left when the episode is over', () => {
    const env = toParallel(connectFour());
    env.reset();
    for (const [ply, column] of RED_WINS.entries()) {
      const { rewards, terminations } = env.step({ [ply % 2 === 0 ? 'red' : 'yellow']: column });
      const isLast = ply === RED_WINS.length - 1;
      expect(rewards).toEqual({ red: isLast ? 1 : 0, yellow: isLast ? -1 : 0 });
      expect(terminations).toEqual({ red: isLast, yellow: isLast });
    }
    expect(env.agents).toEqual([]);
    expect(env.step({})).toEqual({
      observations: {},
      rewards: {},
      terminations: {},
      truncations: {},
      infos: {},
    });
    // The same holds if the first position is finished.
    env.reset({ moves: RED_WINS.join(' ') });
    expect(env.agents).toEqual([]);
  });

  test('need the action of the agent to move', () => {
    const env = toParallel(connectFour());
    env.reset();
    const before = env.render();
    for (const actions of [{}, { red: null }, { yellow: 3 }, { red: 7 }]) {
      expect(() => env.step(actions)).toThrow(code('illegal-action'));
    }
    expect(env.render()).toBe(before);
    env.close();
  });

  test('need a reset first, and act no more after close', () => {
    const env = toParallel(connectFour());
    expect(() => env.step({ red: 3 })).toThrow(code('reset-needed'));
    env.reset();
    env.step({ red: 3 });
    env.close();
    expect(() => env.step({ yellow: 3 })).toThrow(code('env-closed'));
  });
});
