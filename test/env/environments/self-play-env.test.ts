import { describe, expect, test } from 'vitest';
import { assertConforms, checkEnvironment } from '../../../env/environments/conformance/conformance.js';
import { make } from '../../../env/environments/make.js';
import { code, connectFour, expectEqual, RED_WINS } from './wrappers/wrapped-play.js';

const ID = 'gess/ConnectFour-v0';

test.each([
  { id: ID, kwargs: {} },
  { id: 'gess/Quess', kwargs: { plyLimit: 30 } },
])('an agent that plays both sides of $id conforms', ({ id, kwargs }) => {
  assertConforms(checkEnvironment(() => make(id, { ...kwargs, opponent: 'self', renderMode: 'ansi' })));
});

describe('an agent that plays both sides', () => {
  test('sees what the agent to move would see, and earns the acting agent’s rewards', () => {
    const env = make(ID, { opponent: 'self' });
    const turns = connectFour();
    turns.reset({ seed: 1 });
    const first = env.reset({ seed: 1 });
    expectEqual(first.observation, turns.last().observation);
    expect(first.info['agent']).toBe('red');
    for (const [ply, column] of RED_WINS.entries()) {
      const actor = turns.agentSelection;
      const result = env.step(column);
      turns.step(column);
      const { observation, terminated, truncated, info } = turns.last();
      const expected = { observation, terminated, truncated, info: { ...info, agent: turns.agentSelection } };
      expectEqual(result, { ...expected, reward: turns.rewards[actor] });
      expect(result.reward).toBe(ply === RED_WINS.length - 1 ? 1 : 0);
    }
    expect(() => env.step(0)).toThrow(code('game-over'));
  });

  test('has no side', () => {
    expect(() => make(ID, { opponent: 'self', side: 'first' })).toThrow(code('kwargs'));
  });
});
