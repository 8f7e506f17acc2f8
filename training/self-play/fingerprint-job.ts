import { createGame } from '../../env/games.js';
import { type Kernels, withKernels } from './model-kernels.js';
import type { GameIdentity } from '../games/game-config.js';
import { kernelFingerprint } from './kernel-fingerprint.js';

/** A fingerprint to be taken. Plain JSON, to be sent to another process. */
export interface FingerprintJob {
  readonly game: GameIdentity;
  /** Null: of the mathematical functions alone, for agents without a network. */
  readonly modelPath: string | null;
  readonly kernels: Kernels;
}

/**
 * The kernel fingerprint of this machine with a model's file.
 *
 * @throws NotationError for the game; AgentError, DataError for the model; PackageError if ONNX Runtime is not
 *   installed.
 */
export async function takeFingerprint({ game: config, modelPath, kernels }: FingerprintJob): Promise<string> {
  const game = createGame(config.id, config.rules);
  return withKernels(kernels, async (openModel) =>
    kernelFingerprint(game, modelPath === null ? null : await openModel(modelPath, game)),
  );
}
