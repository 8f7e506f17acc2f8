import { beforeEach, describe, expect, test } from 'vitest';
import { make } from '../../../../env/environments/make.js';
import { recordEpisodeStatistics } from '../../../../env/environments/wrappers/record-episode-statistics.js';
import type { RecordedEpisode } from '../../../../env/environments/wrappers/record-episodes.js';
import { recordEpisodes } from '../../../../env/environments/wrappers/record-episodes.js';
import { recordFrames } from '../../../../env/environments/wrappers/record-frames.js';
import { code, connectFour, leaveAll, RED_WINS, single } from './wrapped-play.js';

describe('recordEpisodeStatistics', () => {
  test('every agent gets its own statistics, and the queues hold the last episodes', () => {
    let time = 0;
    const env = recordEpisodeStatistics(connectFour(), { bufferLength: 2, now: () => (time += 1) });
    for (let episode = 0; episode < 3; episode++) {
      env.reset();
      for (const column of RED_WINS) {
        expect(env.last().info).not.toHaveProperty('episode');
        env.step(column);
      }
      expect(env.last().info['episode']).toEqual({ r: -1, l: 7, t: 1 });
      expect(env.infos['red']!['episode']).toEqual({ r: 1, l: 7, t: 1 });
      leaveAll(env);
    }
    expect(env.episodeCount).toBe(3);
    expect(env.returnQueue).toEqual([
      { red: 1, yellow: -1 },
      { red: 1, yellow: -1 },
    ]);
    expect([env.lengthQueue, env.timeQueue]).toEqual([
      [7, 7],
      [1, 1],
    ]);
  });

  test('for one agent, only at the end', () => {
    const env = recordEpisodeStatistics(single(), { statsKey: 'told' });
    let { info } = env.reset({ seed: 3 });
    let [sum, steps] = [0, 0];
    for (;;) {
      expect(info).not.toHaveProperty('told');
      const result = env.step(info.legalActions[0]!);
      sum += result.reward;
      steps += 1;
      info = result.info;
      if (result.terminated || result.truncated) break;
    }
    expect(info['told']).toEqual({ r: sum, l: steps });
    expect([env.returnQueue, env.lengthQueue, env.episodeCount]).toEqual([[sum], [steps], 1]);
  });
});

test('recordFrames collects the first position and one after each step', () => {
  const env = recordFrames(connectFour());
  env.reset();
  const plain = connectFour();
  plain.reset();
  const expected = [plain.render()];
  for (const column of RED_WINS) {
    env.step(column);
    plain.step(column);
    expected.push(plain.render());
  }
  leaveAll(env);
  expect(env.render()).toBe(expected.at(-1));
  expect(env.frames()).toEqual(expected);
  expect(env.frames()).toEqual([]);
  const kept = recordFrames(single(), { popFrames: false, resetClean: false });
  kept.reset({ seed: 1 });
  kept.reset();
  expect(kept.frames()).toHaveLength(2);
  kept.step(0);
  expect(kept.frames()).toHaveLength(3);
  expect(() => recordFrames(make('gess/ConnectFour-v0'))).toThrow(code('wrapper-target'));
});

describe('recordEpisodes', () => {
  let episodes: RecordedEpisode[];
  const sink = { write: (episode: RecordedEpisode): number => episodes.push(episode) };
  beforeEach(() => {
    episodes = [];
  });

  test('has the actions, observations and rewards', () => {
    const env = recordEpisodes(connectFour(), sink);
    env.reset({ seed: 4, moves: '6' });
    const seen = [env.last().observation];
    for (const column of [5, ...RED_WINS]) {
      env.step(column);
      seen.push(env.observe(env.agentSelection));
    }
    expect(episodes).toHaveLength(1);
    leaveAll(env);
    env.reset();
    env.step(3);
    env.close();
    const [won, left] = episodes;
    expect(won).toMatchObject({ id: 0, seed: 4, position: null, moves: '6', agents: ['red', 'yellow'] });
    expect(won!.observations).toEqual(seen);
    expect([...won!.actors]).toEqual([1, 0, 1, 0, 1, 0, 1, 0]);
    expect([...won!.actions]).toEqual([5, ...RED_WINS]);
    expect([...won!.rewards.slice(-4)]).toEqual([0, 0, 1, -1]);
    expect([...won!.terminations]).toEqual([0, 0, 0, 0, 0, 0, 0, 1]);
    expect(won!.truncations.includes(1)).toBe(false);
    expect(left).toMatchObject({ id: 1, seed: null, moves: null });
    expect([...left!.truncations]).toEqual([1]);
  });

  test('for one agent, without observations', () => {
    const env = recordEpisodes(single(), sink, { observations: false });
    env.reset({ seed: 1 });
    env.step(3);
    env.reset();
    expect(episodes).toMatchObject([{ agents: ['agent'], observations: null, seed: 1 }]);
    expect(() => JSON.stringify(env.spec)).toThrow(code('wrapper-function'));
  });
});
