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
