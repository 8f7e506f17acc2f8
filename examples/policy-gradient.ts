/**
 * A learner that improves at Quess against `random`: REINFORCE with a baseline (Williams 1992, "Simple
 * statistical gradient-following algorithms for connectionist reinforcement learning").
 *
 *   npm run build && node dist/examples/policy-gradient.js [iterations] [seed]
 */
import type { Scalar, Tensor2D } from '@tensorflow/tfjs';
import type { Environment, Observation } from 'gess-zero/env/environments/environment';
import { make } from 'gess-zero/env/environments/make';
import { createRng } from 'gess-zero/env/random';
import { loadBackend } from 'gess-zero/training/tensorflow/backend';

/** Games of one iteration, all played at once. */
const GAMES = 64;
const HIDDEN = 64;
const LEARNING_RATE = 0.003;
/** Discount of the reward for each move before it: quick wins are better. */
const DISCOUNT = 0.98;

const [iterations = 40, seed = 1] = process.argv.slice(2).map(Number);
// Native TensorFlow if it is set up, else WebAssembly.
const { tf } = await loadBackend('auto', { threads: 1 });
const rng = createRng(seed, 'policyGradient');

const sample = make('gess/Quess', { opponent: 'random' });
const numActions = sample.actionSpace.n;
const inputs = sample.reset().observation.observation.length;

const hidden = tf.layers.dense({
  inputShape: [inputs],
  units: HIDDEN,
  activation: 'relu',
  kernelInitializer: tf.initializers.glorotUniform({ seed }),
});
// Zero, so that all actions are equally likely at first.
const logits = tf.layers.dense({ units: numActions, kernelInitializer: 'zeros' });
const network = tf.sequential({ layers: [hidden, logits] });
const optimizer = tf.train.adam(LEARNING_RATE);

/** A move of the learner: observation and action. */
interface Move {
  readonly seen: Observation;
  readonly action: number;
}

/** A game in progress, or finished with a reward. */
interface Game {
  readonly env: Environment;
  seen: Observation;
  legalActions: Int32Array;
  readonly moves: Move[];
  reward: number | null;
}

function begin(env: Environment): Game {
  const { observation, info } = env.reset();
  return { env, seen: observation, legalActions: info.legalActions, moves: [], reward: null };
}

/** Samples a legal action with the probabilities of the softmax of the logits. */
function draw(row: Float32Array, legalActions: Int32Array): number {
  const highest = legalActions.reduce((most, action) => Math.max(most, row[action]!), -Infinity);
  const weights = Array.from(legalActions, (action) => Math.exp(row[action]! - highest));
  return sample.actionSpace.sample(rng, { legalActions, weights });
}

/** `[observations, actions]` the network's logits. */
function logitsOf(observations: readonly Observation[]): Tensor2D {
  const rows = new Float32Array(observations.length * inputs);
  observations.forEach(({ observation }, row) => {
    rows.set(observation, row * inputs);
  });
  return network.apply(tf.tensor2d(rows, [observations.length, inputs])) as Tensor2D;
}

/** Plays all games to their end in parallel, one move at a time. */
function play(envs: readonly Environment[]): Game[] {
  const games = envs.map(begin);
  for (let open = games; open.length > 0; open = open.filter(({ reward }) => reward === null)) {
    const positions = open.map(({ seen }) => seen);
    const output = tf.tidy(() => logitsOf(positions));
    const values = output.dataSync<'float32'>();
    output.dispose();
    open.forEach((game, index) => {
      const row = values.subarray(index * numActions, (index + 1) * numActions);
      const action = draw(row, game.legalActions);
      game.moves.push({ seen: game.seen, action });
      const { observation, info, reward, terminated, truncated } = game.env.step(action);
      game.seen = observation;
      game.legalActions = info.legalActions;
      if (terminated || truncated) game.reward = reward;
    });
  }
  return games;
}

/** One step up the gradient of the mean of `advantage * log p(action)` over all moves. */
function learn(games: readonly Game[], baseline: number): void {
  const moves = games.flatMap(({ moves }) => moves);
  const advantages = games.flatMap(({ moves, reward }) =>
    moves.map((_, index) => reward! * DISCOUNT ** (moves.length - 1 - index) - baseline),
  );
  const illegal = new Float32Array(moves.length * numActions);
  moves.forEach(({ seen }, row) => {
    for (let action = 0; action < numActions; action++) {
      if (seen.actionMask[action] === 0) illegal[row * numActions + action] = -1e9;
    }
  });
  optimizer.minimize(() => {
    const masked = tf.add(
      logitsOf(moves.map(({ seen }) => seen)),
      tf.tensor2d(illegal, [moves.length, numActions]),
    );
    const actions = moves.map(({ action }) => action);
    const logProbabilities = tf.sum(tf.mul(tf.logSoftmax(masked), tf.oneHot(actions, numActions)), 1);
    return tf.neg<Scalar>(tf.mean(tf.mul(logProbabilities, tf.tensor1d(advantages))));
  });
}

const envs = Array.from({ length: GAMES }, (_, number) => {
  const env = make('gess/Quess', { opponent: 'random', side: 'first', plyLimit: 100 });
  env.reset({ seed: seed * GAMES + number });
  return env;
});
let baseline = 0;
for (let iteration = 1; iteration <= iterations; iteration++) {
  const games = play(envs);
  const score = games.reduce((sum, { reward }) => sum + reward!, 0) / GAMES;
  learn(games, baseline);
  baseline += 0.1 * (score - baseline);
  const wins = games.filter(({ reward }) => reward === 1).length;
  if (iteration % 5 === 1 || iteration === iterations)
    console.log(`iteration ${iteration}: ${wins} of ${GAMES} won`);
}
