import type { Action } from '../../game.js';
import { createRng, type Rng } from '../../random.js';
import { sampleOfBatch } from '../../spaces/batch.js';
import { formatViolation } from '../../spaces/violation.js';
import type { Environment, Info } from '../environment.js';
import { batchInfos } from '../vector/batched-infos.js';
import type { VectorEnvironment, VectorReset, VectorStep } from '../vector/vector-environment.js';
import { firstDifference, snapshot } from './difference.js';
import type { FindingList } from './finding.js';

/** Options for checking a vector. */
export interface VectorCheckOptions {
  /** Steps of the vector. Defaults to 100. */
  readonly steps?: number | undefined;
  /** An integer in `[0, 2^53)`. Defaults to 1. */
  readonly seed?: number | undefined;
}

/** A vector under test and equal separate environments. */
export interface VectorTwins<Seen> {
  readonly vector: VectorEnvironment<Seen>;
  readonly alone: readonly Lone<Seen>[];
}

/** The view of one environment. */
interface Shown<Seen> {
  readonly observation: Seen;
  readonly reward: number;
  readonly isTerminated: boolean;
  readonly isTruncated: boolean;
  readonly info: Info;
}

/** A separate environment, stepped as a vector steps its own. */
class Lone<Seen> {
  readonly env: Environment<Seen>;
  isOver = false;
  private latest: Shown<Seen> | null = null;

  constructor(env: Environment<Seen>) {
    this.env = env;
  }

  get shown(): Shown<Seen> {
    if (this.latest === null) throw new Error('expected reset first');
    return this.latest;
  }

  reset(seed?: number): void {
    const { observation, info } = copy(this.env.reset(seed === undefined ? {} : { seed }));
    this.latest = { observation, info, reward: 0, isTerminated: false, isTruncated: false };
    this.isOver = false;
  }

  step(action: Action, resetsAtOnce: boolean): void {
    const result = copy(this.env.step(action));
    const { observation, reward, info, terminated: isTerminated, truncated: isTruncated } = result;
    this.latest = { observation, info, reward, isTerminated, isTruncated };
    this.isOver = isTerminated || isTruncated;
    if (!this.isOver || !resetsAtOnce) return;
    this.reset();
    const final = { finalObservation: observation, finalInfo: info };
    this.latest = {
      ...this.shown,
      reward,
      isTerminated,
      isTruncated,
      info: { ...this.shown.info, ...final },
    };
  }

  /** Repeats the view, as for an environment outside the reset mask. */
  stay(): void {
    this.latest = { ...this.shown, reward: 0, isTerminated: false, isTruncated: false };
  }

  /** A legal action; any action if there is none. */
  pick(rng: Rng): Action {
    const { legalActions } = this.shown.info;
    const drawn = rng.integer(Math.max(1, legalActions.length));
    return this.isOver ? this.env.actionSpace.start : (legalActions[drawn] ?? this.env.actionSpace.start);
  }
}

function copy<Value>(value: Value): Value {
  return snapshot(value) as Value;
}

/** Makes a vector and as many separate environments. */
export function createTwins<Seen>(
  create: () => VectorEnvironment<Seen>,
  createAlone: () => Environment<Seen>,
): VectorTwins<Seen> {
  const vector = create();
  return { vector, alone: Array.from({ length: vector.numEnvs }, () => new Lone(createAlone())) };
}

/**
 * Checks that each environment of a vector shows the same as alone, with its own seed and the same actions.
 */
export function checkVector<Seen>(
  list: FindingList,
  twins: VectorTwins<Seen>,
  { steps = 100, seed = 1 }: VectorCheckOptions,
): void {
  const { vector, alone } = twins;
  const rng = createRng(seed, 'conformance', 'vector');
  const compare = (result: VectorReset<Seen> | VectorStep<Seen>, step: number): void => {
    list.expectSame('vector-differs', differenceOf(twins, result), { episode: null, step });
  };
  alone.forEach((lone, index) => {
    lone.reset(seed + index);
  });
  compare(vector.reset({ seed }), 0);
  for (let step = 1; step <= steps; step++) {
    const resetMask = Uint8Array.from(alone, ({ isOver }) => Number(isOver));
    if (vector.autoreset === 'disabled' && resetMask.includes(1)) {
      for (const lone of alone) if (lone.isOver) lone.reset();
      for (const lone of alone) lone.stay();
      compare(vector.reset({ resetMask }), step);
    }
    const actions = Int32Array.from(alone, (lone) => lone.pick(rng));
    alone.forEach((lone, index) => {
      if (lone.isOver) lone.reset();
      else lone.step(actions[index]!, vector.autoreset === 'same-step');
    });
    compare(vector.step(actions), step);
  }
}

function differenceOf<Seen>(
  { vector, alone }: VectorTwins<Seen>,
  result: VectorReset<Seen> | VectorStep<Seen>,
): string | null {
  const violation = vector.observationSpace.violation(result.observations);
  if (violation !== null) return formatViolation(violation);
  const space = vector.singleObservationSpace;
  const shown = alone.map((lone) => lone.shown);
  const expected = {
    observations: shown.map(({ observation }) => observation),
    infos: batchInfos(
      shown.map(({ info }) => info),
      false,
    ),
    rewards: Float64Array.from(shown, ({ reward }) => reward),
    terminations: Uint8Array.from(shown, ({ isTerminated }) => Number(isTerminated)),
    truncations: Uint8Array.from(shown, ({ isTruncated }) => Number(isTruncated)),
  };
  const observations = shown.map((_, index) => sampleOfBatch(space, result.observations, index));
  // A reset returns neither rewards nor ends; they are filled in as expected.
  return firstDifference({ ...expected, ...result, observations }, expected);
}
