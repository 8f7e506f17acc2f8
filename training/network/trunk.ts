import type { BaseShape } from './base-shape.js';
import { heLayer, zeroLayer, type TrunkBuilder } from './layer-builder.js';

/**
 * The trunk: residual blocks of convolutions without normalisation; returns the features, `config.channels` planes.
 *
 * A pooled block adds to its first convolution, before the ReLU, a linear function of the mean and the maximum
 * of a few channels over the whole board (Wu 2019, "Accelerating Self-Play Learning in Go", section 3.3).
 *
 * The last convolution of each residual branch and the last layer of each head start at zero, and the first
 * convolutions of `B` branches are scaled by `B^-1/2`. So a network without normalisation starts as well behaved as one
 * with it (Zhang et al. 2019, "Fixup initialization", section 3.2), and an untrained network predicts a uniform policy
 * and outcome.
 */
export function trunk<Value>(builder: TrunkBuilder<Value>, { observation, config }: BaseShape): Value {
  const { channels, blocks, globalPoolEvery } = config;
  const stem = heLayer('stem', [3, 3, observation[2], channels]);
  let features = builder.inputConvolution(stem, builder.observation('planes'));
  for (let block = 1; block <= blocks; block++) {
    const isPooled = globalPoolEvery > 0 && block % globalPoolEvery === 0;
    const inner = isPooled
      ? pooledInner(builder, config, block, features)
      : builder.convolution(firstLayer(config, block, 'relu'), features);
    const second = zeroLayer(`block${block}_second`, [3, 3, channels, channels]);
    features = builder.addRelu(`block${block}`, features, builder.convolution(second, inner));
  }
  return features;
}

/** The first convolution of a block, without the ReLU in a pooled block. */
function firstLayer(
  { channels, blocks }: BaseShape['config'],
  block: number,
  activation: 'relu' | 'none',
): ReturnType<typeof heLayer> {
  const options = { activation, branches: blocks };
  return heLayer(`block${block}_first`, [3, 3, channels, channels], options);
}

/** The first half of a pooled block. */
function pooledInner<Value>(
  builder: TrunkBuilder<Value>,
  config: BaseShape['config'],
  block: number,
  features: Value,
): Value {
  const { channels, globalPoolChannels: pooled } = config;
  const sum = builder.convolution(firstLayer(config, block, 'none'), features);
  const planes = builder.convolution(heLayer(`block${block}_pool`, [3, 3, channels, pooled]), features);
  const shift = builder.pooledShift(zeroLayer(`block${block}_shift`, [2 * pooled, channels]), planes);
  return builder.shiftRelu(`block${block}_inner`, sum, shift);
}
