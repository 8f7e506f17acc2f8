import { SpaceError } from '../errors.js';
import type { Rng } from '../random.js';
import { createRng, restoreRng } from '../random.js';
import { RngState } from './rng-state.js';
import type { Sample, SampleOptions, Space } from './space.js';
import { describeValue } from '../text/described-value.js';

/**
 * A space with a random stream of its own, for programs that call `space.seed(1)` and `space.sample()` as in
 * Gymnasium. The stream's state can be stored, and the space itself stays an immutable value.
 *
 * ```ts
 * const actions = new SeededSpace(new Discrete(7), 1);
 * actions.sample({ mask });
 * ```
 */
export class SeededSpace<S extends Space> {
  /** The space that is sampled. */
  readonly space: S;
  private rng: Rng;

  /**
   * @param seed an integer in `[0, 2^53)`.
   * @throws SpaceError `random-state`.
   */
  constructor(space: S, seed: number) {
    this.space = space;
    this.rng = createRng(seed, 'space');
  }

  /**
   * Restarts the stream.
   *
   * @param seed an integer in `[0, 2^53)`.
   * @throws SpaceError `random-state`.
   */
  seed(seed: number): void {
    this.rng = createRng(seed, 'space');
  }

  /** Samples the space with this object's stream. */
  sample(options?: SampleOptions<S>): Sample<S> {
    return this.space.sample(this.rng, options) as Sample<S>;
  }

  /** The state of the stream: four 32-bit words, plain JSON. */
  state(): readonly number[] {
    return this.rng.state();
  }

  /**
   * Continues from a state that `state` returned.
   *
   * @throws SpaceError `random-state`.
   */
  restore(state: readonly number[]): void {
    if (!RngState.safeParse(state).success) {
      const found = describeValue(state);
      throw new SpaceError('random-state', `expected four 32-bit words that are not all 0, got ${found}`);
    }
    this.rng = restoreRng(state);
  }
}
