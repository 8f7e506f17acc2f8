import { describe, expect, test, vi } from 'vitest';
import { connectFour } from '../../../env/connect-four/connect-four.js';
import type { ConnectFourState } from '../../../env/connect-four/connect-four-position.js';
import type { EnvState } from '../../../env/environments/environment.js';
import { TurnEnv } from '../../../env/environments/turn-env.js';
import type { Game } from '../../../env/game.js';
import { createQuess } from '../../../env/quess/quess.js';

/** Matches an error with this code. */
function coded(name: string, code: string): unknown {
  return expect.objectContaining({ name, code });
}

describe('dictionaries of agents', () => {
  test('have the agents that have not left as keys', () => {
    const env = new TurnEnv(connectFour);
    expect([env.agents, env.rewards, env.infos]).toEqual([[], {}, {}]);
    env.reset({ moves: '0 1 0 1 0 1' });
    expect(env.cumulativeRewards).toEqual({ red: 0, yellow: 0 });
    expect(env.terminations).toEqual({ red: false, yellow: false });
    env.step(0);
    expect(env.rewards).toEqual({ red: 1, yellow: -1 });
    expect(env.cumulativeRewards).toEqual({ red: 1, yellow: -1 });
    expect(env.terminations).toEqual({ red: true, yellow: true });
    env.step(null);
    // Leaving has no rewards; red's win is still to be reported.
    expect(env.rewards).toEqual({ red: 0 });
    expect(env.cumulativeRewards).toEqual({ red: 1 });
    expect(env.truncations).toEqual({ red: false });
    expect(Object.keys(env.infos)).toEqual(['red']);
    env.step(null);
    expect([env.rewards, env.terminations, env.infos]).toEqual([{}, {}, {}]);
  });

  test('the information of an agent that is not to move has no actions', () => {
    const env = new TurnEnv(connectFour);
    env.reset();
    expect(env.infos['red']).toEqual({ legalActions: Int32Array.of(0, 1, 2, 3, 4, 5, 6), ply: 0 });
    expect(env.infos['yellow']).toEqual({ legalActions: new Int32Array(0), ply: 0 });
  });

  test('they are empty before the first reset and after the last agent has left', () => {
    const env = new TurnEnv(connectFour);
    expect(() => env.last()).toThrow(coded('EnvError', 'reset-needed'));
    env.reset({ moves: '0 1 0 1 0 1 0' });
    env.step(null);
    env.step(null);
    expect(() => env.last()).toThrow(coded('EnvError', 'reset-needed'));
  });
});

describe('reused arrays', () => {
  test('are reused after every step, and earlier results show the current position', () => {
    const env = new TurnEnv(connectFour, { copy: false });
    env.reset();
    const { observation } = env.last();
    const { actionMask, observation: planes } = observation;
    env.step(3);
    env.step(3);
    expect(env.last().observation).toBe(observation);
    expect(env.last().observation.actionMask).toBe(actionMask);
    expect(env.last().observation.observation).toBe(planes);
    expect(env.observe('yellow').observation).not.toBe(planes);
  });
});

describe('the start of an episode', () => {
  const env = new TurnEnv(connectFour);

  test('may be a position with moves after it', () => {
    env.reset({ position: '......./......./......./......./......./r......', moves: '3 3' });
    expect(connectFour.formatPosition(env.cloneState())).toBe(
      '......./......./......./......./...r.../r..y...',
    );
    expect(env.agentSelection).toBe('yellow');
  });

  test.each([
    [{ moves: '0 0 0 0 0 0 0' }, 'IllegalActionError', 'illegal-action'],
    [{ moves: '0 1 0 1 0 1 0 1' }, 'IllegalActionError', 'illegal-action'],
    [{ moves: '7' }, 'NotationError', 'action-syntax'],
    [{ position: 'x' }, 'NotationError', 'position-syntax'],
    [{ seed: -1 }, 'EnvError', 'seed-range'],
    [{ seed: 0.5 }, 'EnvError', 'seed-range'],
    [{ seed: 2 ** 53 }, 'EnvError', 'seed-range'],
  ])('%j is refused, and the episode is unchanged', (options, name, code) => {
    env.reset({ seed: 1, moves: '3' });
    const before = env.save();
    expect(() => {
      env.reset(options);
    }).toThrow(coded(name, code));
    expect(env.save()).toEqual(before);
  });

  test('after one seed, the stream continues across resets', () => {
    const draws = (seed: number): number[] => {
      env.reset({ seed });
      const first = env.rng.float();
      env.reset();
      return [first, env.rng.float()];
    };
    expect(draws(4)).toEqual(draws(4));
    expect(draws(4)[0]).not.toBe(draws(4)[1]);
    expect(draws(5)).not.toEqual(draws(4));
  });
});

describe('saved states', () => {
  const env = new TurnEnv(connectFour);
  env.reset({ seed: 1, moves: '0 1 0' });
  const good = env.save();
  env.reset({ moves: '0 1 0 1 0 1 0' });
  env.step(null);
  const left = env.save();

  test.each<[string, EnvState]>([
    ['no state', { version: 1 }],
    ['another version', { ...good, version: 2 as 1 }],
    ['an unknown member', { ...good, more: 1 }],
    ['other rules', { ...good, rules: '0' }],
    ['another ply limit', { ...good, plyLimit: 10 }],
    ['a random stream of zeros', { ...good, rng: [0, 0, 0, 0] }],
    ['an invalid position', { ...good, start: 'x' }],
    ['an illegal action', { ...good, actions: [0, 0, 0, 0, 0, 0, 0] }],
    ['an action after the end', { ...good, actions: [0, 1, 0, 1, 0, 1, 0, 1] }],
    ['seconds without a clock', { ...good, seconds: [1, 1, 1] }],
    ['an unknown agent', { ...good, agents: ['red', 'green'] }],
    ['an agent who left too soon', { ...good, agents: ['yellow'] }],
    ['another agent selected', { ...good, agentSelection: 'red' }],
    ['an agent selected who has left', { ...left, agentSelection: 'yellow' }],
    ['nobody selected', { ...good, agents: [], agentSelection: 'green' }],
  ])('%s is refused, and the episode is unchanged', (_name, state) => {
    env.reset({ moves: '5 5' });
    const before = env.save();
    expect(() => {
      env.restore(state);
    }).toThrow(coded('EnvError', 'state-mismatch'));
    expect(env.save()).toEqual(before);
  });

  test('need the seconds of every action in games with clocks', () => {
    const timed = new TurnEnv(createQuess({ rules: 'standard,clock=10' }));
    timed.reset({ moves: 'F2-D3' });
    const state = timed.save();
    expect(() => {
      timed.restore({ ...state, seconds: [] });
    }).toThrow(coded('EnvError', 'state-mismatch'));
  });

  test('of an episode that has not begun can be restored', () => {
    const unbegun = new TurnEnv(connectFour).save();
    env.reset();
    env.restore(unbegun);
    expect(env.agents).toEqual([]);
  });

  test('include a clock that ran out', () => {
    const timed = new TurnEnv(createQuess({ rules: 'standard,clock=10' }));
    timed.reset({ moves: 'F2-D3' });
    timed.step(timed.last().info.legalActions[0]!, { seconds: 10 });
    const copy = new TurnEnv(timed.game);
    copy.restore(timed.save());
    expect(copy.cloneState()).toEqual(timed.cloneState());
    expect(copy.last()).toMatchObject({ reward: -1, terminated: true });
  });
});

describe('rendering', () => {
  test('returns null without a mode, else text or SVG', () => {
    const plain = new TurnEnv(connectFour);
    plain.reset();
    expect([plain.renderMode, plain.render()]).toEqual([null, null]);
    const ansi = new TurnEnv(connectFour, { renderMode: 'ansi' });
    ansi.reset({ moves: '3' });
    expect(ansi.render()).toBe(connectFour.render(ansi.cloneState()));
    const svg = new TurnEnv(connectFour, { renderMode: 'svg' });
    svg.reset();
    expect(svg.render()).toMatch(/^<svg /);
    expect(svg.metadata).toEqual({ name: 'connect-four', renderModes: ['ansi', 'human', 'svg'] });
  });

  test('mode human writes after every reset and step, and only then', () => {
    const written: string[] = [];
    const env = new TurnEnv(connectFour, {
      renderMode: 'human',
      write: (text) => written.push(text),
      paint: (kind, text) => (kind === 'first' ? text.toUpperCase() : text),
    });
    env.reset();
    env.step(0);
    expect(env.render()).toBeNull();
    expect(written).toHaveLength(2);
    expect(written[1]).toBe(`${connectFour.render(env.cloneState()).replace('r', 'R')}\n\n`);
  });

  test('mode human writes to standard output, in colours on a terminal', () => {
    /** The output to standard output, as a terminal or not. */
    const shown = (isTTY: boolean): string => {
      const written: string[] = [];
      const stdout = { isTTY, hasColors: () => true, write: (text: string) => written.push(text) };
      vi.stubGlobal('process', { stdout });
      try {
        new TurnEnv(connectFour, { renderMode: 'human' }).reset({ moves: '3' });
      } finally {
        vi.unstubAllGlobals();
      }
      return written.join('');
    };
    const plain = new TurnEnv(connectFour, { renderMode: 'ansi' });
    plain.reset({ moves: '3' });
    expect(shown(false)).toBe(`${plain.render()!}\n\n`);
    expect(shown(true)).toContain('\u001b[');
  });

  test('a mode that the game does not have is refused', () => {
    const withoutSvg: Game<ConnectFourState> = { ...connectFour };
    delete withoutSvg.renderSvg;
    expect(() => new TurnEnv(withoutSvg, { renderMode: 'svg' })).toThrow(coded('EnvError', 'kwargs'));
  });
});
