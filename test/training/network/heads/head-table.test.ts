import { expect, test } from 'vitest';
import { createRng } from '../../../../env/random.js';
import { sizeOfShape } from '../../../../env/spaces/shape.js';
import { HEAD_LEARNER_SETTINGS, HEADS, headsOf } from '../../../../training/network/heads/head-table.js';
import { TensorNetwork } from '../../../../training/network/tensor-network.js';
import { loadTensorflow } from '../../../../training/tensorflow/tensorflow.js';
import { BOARD_SHAPE, FULL_CONFIG, FULL_SHAPE, randomFloats, randomNetwork } from '../network-fixtures.js';

const tf = loadTensorflow({ threads: 2 });

test('names and labels of heads are unique', () => {
  for (const key of ['name', 'label'] as const) {
    expect(new Set(HEADS.map((head) => head[key])).size).toBe(HEADS.length);
  }
});

test('a network has policy and outcome, and the auxiliary heads that its settings name', () => {
  const names = (config: typeof FULL_CONFIG): string[] => headsOf(config).map(({ name }) => name);
  expect(names(BOARD_SHAPE.config)).toEqual(['policy', 'outcome']);
  expect(names(FULL_CONFIG)).toEqual(HEADS.map(({ name }) => name));
});

test('every head except the policy has a loss weight among its settings', () => {
  for (const { label } of HEADS.slice(1)) expect(HEAD_LEARNER_SETTINGS).toHaveProperty(`${label}Weight`);
  expect(HEAD_LEARNER_SETTINGS).not.toHaveProperty('policyWeight');
});

test('outputs have the shapes that the heads declare', () => {
  const { weights } = randomNetwork(FULL_SHAPE, 1);
  const observations = randomFloats(2 * sizeOfShape(FULL_SHAPE.observation), createRng(2));
  const logits = new TensorNetwork(tf, FULL_SHAPE).predict(weights, observations, 2);
  for (const head of headsOf(FULL_CONFIG)) {
    expect(logits.get(head.name), head.name).toHaveLength(2 * sizeOfShape(head.outputShape(FULL_SHAPE)));
  }
});
