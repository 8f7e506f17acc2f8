import { EvaluationBatch } from '../../agents/evaluators/evaluator.js';
import { NetworkEvaluator } from '../../agents/evaluators/network-evaluator.js';
import { sha256 } from '../../data/files/sealed-json.js';
import type { Game } from '../../env/game.js';
import { createGame } from '../../env/games.js';
import { createRng } from '../../env/random.js';
import { openModelFile } from '../export/model-file.js';
import type { GameConfig } from '../games/game-config.js';

/** Positions that a network evaluates for its fingerprint, and inputs of each mathematical function. */
const POSITIONS = 32;
const NUMBERS = 256;

/** The input of a fingerprint. */
export interface FingerprintJob {
  readonly game: GameConfig;
  /** Null: of the mathematical functions alone, for agents without a network. */
  readonly modelPath: string | null;
}

/** The functions of the language that searches use, whose last bits are the engine's choice. */
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
 * The kernel fingerprint: SHA-256 of a network's outputs in fixed positions and of mathematical functions. Machines with equal
 * fingerprints play equal games to the bit, as far as these values show; a processor with other vector instructions has
 * another one.
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
