import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseAgentSpec } from '../../../agents/agent-spec.js';
import { networkAgent } from '../../../training/matches/network-agent.js';

test('the agent of a checkpoint finds its model in a folder of any name', () => {
  expect(parseAgentSpec(networkAgent('runs/a,b 100%', 8))).toMatchObject({
    kind: 'mcts',
    options: { model: join('runs/a,b 100%', 'model.onnx'), simulations: 8 },
  });
});

test('its text contains the options of its matches', () => {
  expect(parseAgentSpec(networkAgent('runs/a', 8, { exploration: 0.8, symmetries: 2 }))).toMatchObject({
    options: { exploration: 0.8, symmetries: 2 },
  });
});

test('in int8 it plays the int8 model of the checkpoint', () => {
  const { options } = parseAgentSpec(networkAgent('runs/a', 8, { leaves: 4, precision: 'int8' }));
  expect(options).toMatchObject({ model: join('runs/a', 'model-int8.onnx'), leaves: 4 });
  expect(options).not.toHaveProperty('precision', 'int8');
});
