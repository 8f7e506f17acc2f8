import type { Game } from '../game.js';
import { Box } from '../spaces/box.js';
import { Dict } from '../spaces/dict.js';
import { Discrete } from '../spaces/discrete.js';
import { MultiBinary } from '../spaces/multi-binary.js';
import type { Space } from '../spaces/space.js';
import type { Observation } from './environment.js';

/** The observation and action spaces of a game's environments. */
export interface GameSpaces {
  /** `Dict` of `observation`, a `Box` of 0..1 and shape `[R, C, P]`, and `actionMask`, a `MultiBinary` of `A`. */
  readonly observationSpace: Space<Observation>;
  /** `Discrete(A)`. */
  readonly actionSpace: Discrete;
}

/** The spaces of a game, the same for both players. */
export function gameSpaces(game: Game<unknown>): GameSpaces {
  return {
    observationSpace: new Dict({
      observation: new Box(0, 1, game.observationShape),
      actionMask: new MultiBinary(game.numActions),
    }),
    actionSpace: new Discrete(game.numActions),
  };
}
