import type { Rank } from '@tensorflow/tfjs-node';
import type { Tensorflow } from './tensorflow.js';

/** Threshold between the rounding errors of bfloat16 and float32 in the product below. */
const NOTICEABLE = 1e-2;

/**
 * Whether convolutions round to bfloat16, measured with one convolution. oneDNN treats `precision: 'bfloat16'` as a
 * permission, and uses it only on processors with AMX.
 */
export function multipliesInBfloat16(tf: Tensorflow): boolean {
  const sum = tf.tidy(() => {
    const thirds = tf.fill<Rank.R4>([8, 16, 16, 32], 1 / 3);
    return tf.conv2d(thirds, tf.fill<Rank.R4>([1, 1, 32, 32], 3), 1, 'same');
  });
  const [value] = sum.dataSync();
  sum.dispose();
  return Math.abs(value! - 32) > NOTICEABLE;
}
