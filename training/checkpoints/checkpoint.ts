import type { Game } from '../../env/game.js';
import { type Network, networkOf } from '../network/network.js';
import type { OptimizerState } from './optimizer-state.js';

/** A generation's network and everything that learning needs to resume exactly. */
export interface Checkpoint {
  readonly generation: number;
  /** The game as the network sees it (`gameOfNetwork`). */
  readonly game: Game<unknown>;
  /** The network from which learning continues. */
  readonly network: Network;
  /** `[W]` averaged weights, which play instead; null without averaging. */
  readonly average: Float32Array | null;
  /** Null: learning starts with a new optimiser. */
  readonly optimizer: OptimizerState | null;
  /** `Rng.state()` of the learner's stream; null: learning starts a new stream. */
  readonly learnerRandom: readonly number[] | null;
  /** SHA-256 of the run's configuration; null outside a run. */
  readonly configDigest: string | null;
  /** Version of the program that wrote it. */
  readonly softwareVersion: string;
}

/** The network that plays: with the averaged weights if the checkpoint has them. */
export function networkForPlay({ network, average }: Checkpoint): Network {
  return average === null ? network : networkOf(network.shape, average);
}

/** The metadata stored inside a model file of any format. */
export function modelMetadata(checkpoint: Checkpoint): Record<string, string> {
  const { game, generation, softwareVersion } = checkpoint;
  return {
    game: game.id,
    rules: game.rules,
    rulesVersion: String(game.rulesVersion),
    encodingVersion: String(game.encodingVersion),
    generation: String(generation),
    softwareVersion,
  };
}
