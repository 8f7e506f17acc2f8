import { EvaluationBatch } from '../../agents/evaluators/evaluator.js';
import type { InferenceSession } from '../../agents/evaluators/inference-session.js';
import { NetworkEvaluator } from '../../agents/evaluators/network-evaluator.js';
import { power } from '../../agents/evaluators/power.js';
import { contentDigest } from '../../data/files/content-digest.js';
import type { Game } from '../../env/game.js';
import { createRng } from '../../env/random.js';

/** Number of positions that a network evaluates for its fingerprint. */
const POSITIONS = 32;
const NUMBERS = 256;

/** The language's functions that games use, whose last bits depend on the JavaScript engine. */
const OF_NETWORKS = ['exp', 'log', 'cos'] as const;
const OF_AGENTS = [...OF_NETWORKS, 'tanh'] as const;

/** `[F * NUMBERS]` values of functions of one argument, and of powers. */
function mathValues(names: readonly (typeof OF_AGENTS)[number][]): Float64Array {
  const rng = createRng(0, 'fingerprint', 'numbers');
  const inputs = Float64Array.from({ length: NUMBERS }, () => rng.float() * 2 * Math.PI);
  const powers = inputs.map((input, index) => power(input, index / NUMBERS));
  return Float64Array.from([
    ...names.flatMap((name) => Array.from(inputs, (input) => Math[name](input))),
    ...powers,
  ]);
}

/** Adds positions of random games, the same for every model of the game. */
function addPositions(game: Game<unknown>, batch: EvaluationBatch): void {
  const rng = createRng(0, 'fingerprint', 'positions');
  const actions = new Int32Array(game.maxLegalActions);
  let state = game.initialState();
  while (batch.size < batch.capacity) {
    batch.add(game, state);
    const count = game.legalActions(state, actions);
    game.apply(state, actions[rng.integer(count)]!);
    if (game.outcome(state) !== null || game.ply(state) >= game.plyLimit) state = game.initialState();
  }
}

function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/**
 * Computes the kernel fingerprint: SHA-256 of a network's outputs in fixed positions and of mathematical functions. As
 * far as these values show, machines with equal fingerprints play equal games to the bit. A processor with other vector
 * instructions has another fingerprint. It runs in browsers too.
 *
 * @param session of the network, which is disposed; null: of the mathematical functions alone, for agents without a
 *   network.
 * @throws AgentError if the network is not of `game`.
 */
export async function kernelFingerprint(
  game: Game<unknown>,
  session: InferenceSession | null,
): Promise<string> {
  if (session === null) return contentDigest(bytesOf(mathValues(OF_AGENTS)));
  const evaluator = await NetworkEvaluator.create(game, session);
  try {
    const batch = new EvaluationBatch(game, POSITIONS, evaluator);
    addPositions(game, batch);
    await evaluator.evaluate(batch);
    const priors = batch.priors.slice(0, batch.start[batch.size]);
    return await contentDigest(bytesOf(mathValues(OF_NETWORKS)), bytesOf(priors), bytesOf(batch.outcomes));
  } finally {
    await evaluator.dispose();
  }
}
