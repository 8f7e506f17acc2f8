import { EvaluationBatch } from '../../agents/evaluators/evaluator.js';
import { NetworkEvaluator } from '../../agents/evaluators/network-evaluator.js';
import { sha256 } from '../../data/files/sealed-json.js';
import type { Game } from '../../env/game.js';
import { createGame } from '../../env/games.js';
import { createRng } from '../../env/random.js';
import { openModelFile } from '../export/model-file.js';
import type { GameConfig } from '../games/game-config.js';

/** Number of positions that a network evaluates for its fingerprint. */
const POSITIONS = 32;
const NUMBERS = 256;

/** The inputs of a fingerprint. */
export interface FingerprintJob {
  readonly game: GameConfig;
  /** Null for agents without a network: the fingerprint then covers the mathematical functions alone. */
  readonly modelPath: string | null;
}

/** The language's functions that searches use, whose last bits depend on the JavaScript engine. */
const FUNCTIONS = [Math.exp, Math.log, Math.sqrt, Math.log1p, Math.tanh] as const;

/** `[F * NUMBERS]` values of the mathematical functions. */
function mathValues(): Float64Array {
  const rng = createRng(0, 'fingerprint', 'numbers');
  const inputs = Float64Array.from({ length: NUMBERS }, () => rng.float() * 8);
  const powers = inputs.map((input, index) => Math.pow(input, index / NUMBERS));
  return Float64Array.from([
    ...FUNCTIONS.flatMap((apply) => Array.from(inputs, (input) => apply(input))),
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

/**
 * Computes the kernel fingerprint: SHA-256 of a network's outputs in fixed positions and of mathematical functions. As
 * far as these values show, machines with equal fingerprints play equal games to the bit. A processor with other vector
 * instructions has another fingerprint.
 *
 * @throws NotationError for the game; AgentError, DataError for the model.
 */
export async function kernelFingerprint({ game: config, modelPath }: FingerprintJob): Promise<string> {
  const game = createGame(config.id, config.rules);
  const math = Buffer.from(mathValues().buffer);
  if (modelPath === null) return sha256(math);
  const evaluator = await NetworkEvaluator.create(game, await openModelFile(modelPath, game));
  try {
    const batch = new EvaluationBatch(game, POSITIONS, evaluator.readsInputs);
    addPositions(game, batch);
    await evaluator.evaluate(batch);
    const priors = batch.priors.slice(0, batch.start[batch.size]);
    return sha256(Buffer.concat([math, Buffer.from(priors.buffer), Buffer.from(batch.outcomes.buffer)]));
  } finally {
    await evaluator.dispose();
  }
}
