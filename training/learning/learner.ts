import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { writeFileAtomic } from '../../data/atomic-file.js';
import { sampleOf } from '../../data/shard-columns.js';
import type { ReplayWindow } from '../../data/replay-window.js';
import type { Game } from '../../env/game.js';
import type { Rng } from '../../env/random.js';
import { adamStep, clipNorm, createAdamState, decayRanges, type AdamState } from './adam.js';
import { BatchPreparation } from './batch-preparation.js';
import type { LearnerConfig } from '../config.js';
import { TrainingError } from '../errors.js';
import { NetworkLoss, type LossSums } from '../network/network-loss.js';
import { networkOf, type Network } from '../network/network.js';
import type { Tensorflow } from '../tensorflow.js';
import { TrainingBatch } from './training-batch.js';

/** Most batches of held-back rows that are looked at after learning. */
const VALIDATION_BATCHES = 16;

/** What the learner goes on from, and leaves behind: everything that the next step depends on. */
export interface LearnerState {
  readonly network: Network;
  readonly optimizer: AdamState;
}

/** Means over samples. */
export interface LearnerLosses {
  /** Cross-entropy of the policy in nats, over rows with a policy to learn; null when there was none. */
  readonly policyLoss: number | null;
  /** Share of those rows whose most probable action is the target's, in [0, 1]. */
  readonly policyAccuracy: number | null;
  /** Cross-entropy of win, draw and loss in nats, over rows whose value is known; null when there was none. */
  readonly valueLoss: number | null;
}

/** What learning did. */
export interface LearnStatistics {
  /** Steps taken now. */
  readonly steps: number;
  /** Steps of the optimiser in all. */
  readonly optimizerSteps: number;
  readonly samples: number;
  /** Over all samples drawn, each before it was learnt from. */
  readonly training: LearnerLosses;
  /** Over rows held back, after the last step; null where none are. */
  readonly validation: LearnerLosses | null;
  /** Mean norm of the gradients before clipping. */
  readonly gradientNorm: number;
  readonly samplesPerSecond: number;
  /** Share of the time that making batches took, in [0, 1]. */
  readonly preparationShare: number;
}

/** What `learn` needs. */
export interface LearnOptions<State> {
  readonly tf: Tensorflow;
  readonly game: Game<State>;
  readonly config: LearnerConfig;
  readonly window: ReplayWindow;
  /** Not changed. */
  readonly from: LearnerState;
  /** Draws rows and symmetries; advanced. */
  readonly rng: Rng;
  readonly steps: number;
  /** Where the batch goes that a loss is not finite on. */
  readonly failureFolder: string;
  /** Told after each step how many there were, and the mean losses of the last. */
  readonly onStep?: (step: number, losses: LearnerLosses) => void;
  /** Ends after the step under way. */
  readonly signal?: AbortSignal;
}

/** What `learn` returns. */
export interface LearnResult extends LearnerState {
  readonly statistics: LearnStatistics;
}

/** The state before the first step. */
export function startLearner(network: Network): LearnerState {
  return { network, optimizer: createAdamState(network.weights.length) };
}

class LossMeans {
  private policyLoss = 0;
  private policyWeight = 0;
  private policyCorrect = 0;
  private valueLoss = 0;
  private valueWeight = 0;

  add(sums: LossSums): void {
    this.policyLoss += sums.policyLoss;
    this.policyWeight += sums.policyWeight;
    this.policyCorrect += sums.policyCorrect;
    this.valueLoss += sums.valueLoss;
    this.valueWeight += sums.valueWeight;
  }

  means(): LearnerLosses {
    const mean = (sum: number, weight: number): number | null => (weight > 0 ? sum / weight : null);
    return {
      policyLoss: mean(this.policyLoss, this.policyWeight),
      policyAccuracy: mean(this.policyCorrect, this.policyWeight),
      valueLoss: mean(this.valueLoss, this.valueWeight),
    };
  }
}

function meansOf(sums: LossSums): LearnerLosses {
  const means = new LossMeans();
  means.add(sums);
  return means.means();
}

/** Losses over rows held back, evenly spread over the window; null where there are none. */
function validate<State>(
  window: ReplayWindow,
  {
    loss,
    preparation,
    batch,
    weights,
  }: {
    readonly loss: NetworkLoss;
    readonly preparation: BatchPreparation<State>;
    readonly batch: TrainingBatch;
    readonly weights: Float32Array;
  },
): LearnerLosses | null {
  const all = window.validationRows;
  const count = Math.min(all.length, VALIDATION_BATCHES * batch.capacity);
  if (count === 0) return null;
  const rows = Uint32Array.from({ length: count }, (_, i) => all[Math.floor((i * all.length) / count)]!);
  const means = new LossMeans();
  for (let first = 0; first < count; first += batch.capacity) {
    preparation.fill(batch, window, rows.subarray(first, first + batch.capacity), null);
    means.add(loss.evaluate(weights, batch));
  }
  return means.means();
}

/**
 * Share of the learning rate when `progress`, in [0, 1], of the steps are done: from 1 along half a cosine to
 * `last`.
 *
 * @see Loshchilov and Hutter 2017, "SGDR: Stochastic Gradient Descent with Warm Restarts", formula 5.
 */
export function rateShare(progress: number, last: number): number {
  return last + ((1 - last) * (1 + Math.cos(Math.PI * progress))) / 2;
}

/** The batch and where it went, so that what made a loss infinite can be looked at. */
async function failOnLoss<State>(
  options: LearnOptions<State>,
  step: number,
  rows: Uint32Array,
  found: LossSums & { readonly gradientNorm: number },
): Promise<never> {
  const { game, window, failureFolder } = options;
  const state = game.initialState();
  const samples = Array.from(rows, (row) => {
    const { position, ...sample } = sampleOf(window.shard(row), window.index(row));
    game.unpack(position, 0, state);
    const { actions, policy } = sample;
    return {
      ...sample,
      position: game.formatPosition(state),
      actions: Array.from(actions),
      policy: Array.from(policy, String),
    };
  });
  const path = join(failureFolder, `loss-not-finite-step-${String(step)}.json`);
  const losses = Object.fromEntries(Object.entries(found).map(([name, value]) => [name, String(value)]));
  await writeFileAtomic(path, `${JSON.stringify({ step, losses, samples })}\n`);
  throw new TrainingError(
    'loss-not-finite',
    `expected finite losses, found policy ${losses['policyLoss']!}, value ${losses['valueLoss']!}, ` +
      `gradient ${losses['gradientNorm']!} in step ${step}; the batch is in ${path}`,
  );
}

/**
 * Takes `steps` steps of Adam on rows drawn from the window. Equal inputs give equal weights, bit by bit,
 * for one number of TensorFlow threads. No tensor is left.
 *
 * @throws TrainingError `loss-not-finite`, after the batch was saved to a file that the message names.
 */
export async function learn<State>(options: LearnOptions<State>): Promise<LearnResult> {
  const { tf, game, config, window, from, rng } = options;
  const { shape } = from.network;
  const weights = from.network.weights.slice();
  const optimizer: AdamState = {
    step: from.optimizer.step,
    firstMoment: from.optimizer.firstMoment.slice(),
    secondMoment: from.optimizer.secondMoment.slice(),
  };
  const loss = new NetworkLoss(tf, shape, config.valueWeight);
  const preparation = new BatchPreparation(game, config.valueMix);
  const batch = new TrainingBatch(shape, config.batchSize, game.maxLegalActions);
  const gradient = new Float32Array(weights.length);
  const decay = decayRanges(shape);
  const rows = new Uint32Array(config.batchSize);
  const means = new LossMeans();
  let steps = 0;
  let normSum = 0;
  let preparationMs = 0;
  const start = performance.now();
  while (steps < options.steps && options.signal?.aborted !== true) {
    const stepStart = performance.now();
    window.drawTrainingRows(rng, rows);
    preparation.fill(batch, window, rows, config.symmetries ? rng : null);
    preparationMs += performance.now() - stepStart;
    const sums = loss.differentiate(weights, batch, gradient);
    const gradientNorm = clipNorm(gradient, config.clipNorm);
    if (!Number.isFinite(sums.policyLoss + sums.valueLoss + gradientNorm)) {
      await failOnLoss(options, optimizer.step + 1, rows, { ...sums, gradientNorm });
    }
    const learningRate = config.learningRate * rateShare(steps / options.steps, config.finalRateShare);
    adamStep(weights, gradient, optimizer, { ...config, learningRate, decay });
    means.add(sums);
    normSum += gradientNorm;
    steps += 1;
    options.onStep?.(steps, meansOf(sums));
    // Lets signals and timers in: TensorFlow holds the thread for the whole step.
    await setImmediate();
  }
  const elapsedMs = performance.now() - start;
  return {
    network: networkOf(shape, weights),
    optimizer,
    statistics: {
      steps,
      optimizerSteps: optimizer.step,
      samples: steps * config.batchSize,
      training: means.means(),
      validation: validate(window, { loss, preparation, batch, weights }),
      gradientNorm: steps > 0 ? normSum / steps : 0,
      samplesPerSecond: steps > 0 ? (steps * config.batchSize * 1000) / elapsedMs : 0,
      preparationShare: steps > 0 ? preparationMs / elapsedMs : 0,
    },
  };
}
