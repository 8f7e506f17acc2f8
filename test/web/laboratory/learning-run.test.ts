import { expect, test } from 'vitest';
import { nextTask } from '../../../agents/next-task.js';
import { connectFour } from '../../../env/connect-four/connect-four.js';
import type { Game } from '../../../env/game.js';
import { loadWasmTensorflow } from '../../../training/tensorflow/wasm/loading.js';
import { Judge } from '../../../web/rooms/laboratory/judge.js';
import { LearningRun } from '../../../web/rooms/laboratory/learning-run.js';

/** Whether to learn to the end, which takes minutes on one core. */
const isWhole = process.env['LABORATORY'] === '1';
/** Three minutes of learning, and the matches. */
const LIMIT_SECONDS = 180;
const PATIENCE_MS = 3_600_000;
/** Share of the points against `random`, by the network alone. */
const GOAL = 0.95;

function processorSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

test.skipIf(!isWhole)(
  `on WebAssembly in Node, the network alone scores ${GOAL} against random within ${LIMIT_SECONDS} processor seconds`,
  async () => {
    const game = connectFour as Game<unknown>;
    const tools = { tf: await loadWasmTensorflow(), game, seed: 1, breathe: nextTask };
    const run = new LearningRun(tools);
    const judge = new Judge(tools);
    judge.add(0, run.weights);
    const first = await judge.score(0);
    console.log('generation 0:', first);
    let [seconds, best] = [0, 0];
    while (seconds < LIMIT_SECONDS && best < GOAL) {
      const startSeconds = processorSeconds();
      const { number, weights, policyLoss, valueLoss, positions } = await run.advance(() => undefined);
      seconds += processorSeconds() - startSeconds;
      judge.add(number, weights);
      const { random, earlier } = await judge.score(number);
      console.log({ number, seconds, positions, policyLoss, valueLoss, random, earlier });
      best = Math.max(best, random);
    }
    expect(first.random).toBeLessThan(0.9);
    expect(best).toBeGreaterThanOrEqual(GOAL);
  },
  PATIENCE_MS,
);
