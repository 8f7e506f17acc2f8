import { DataError } from '../../../data/data-error.js';
import type { RowWindow } from '../../../data/datasets/row-window.js';
import type { Game } from '../../../env/game.js';
import { sizeOfShape } from '../../../env/spaces/shape.js';
import { observeRows } from '../../checkpoints/observed-rows.js';
import { headOutputs } from '../../network/heads/head-outputs.js';
import { type Network, networkOf } from '../../network/network.js';
import { BATCH_SIZE, visitBatches } from '../../network/position-batches.js';
import { TensorNetwork } from '../../network/tensor-network.js';
import { trunk } from '../../network/trunk.js';
import type { Tensorflow } from '../../tensorflow/tensorflow.js';
import { type UnitGroup, UnitProbe } from './unit-probe.js';

/** Positions by which units are judged: a unit of the hidden layer has only one number for each. */
const POSITIONS = 512;

/** The positions by which units are judged: training rows of the window. */
export interface UnitSample<State> {
  readonly tf: Tensorflow;
  readonly game: Game<State>;
  readonly window: RowWindow;
}

/** `[POSITIONS, R, C, P]` the positions of a sample; null if the window has fewer rows. */
export function observeSample<State>({ game, window }: UnitSample<State>): Float32Array | null {
  return window.trainingRows.length < POSITIONS ? null : observeRows(game, window, POSITIONS);
}

/** As `observeSample`. @throws DataError `window-empty` if the window has too few rows. */
export function expectSample<State>(sample: UnitSample<State>): Float32Array {
  const observations = observeSample(sample);
  if (observations !== null) return observations;
  throw new DataError(
    'window-empty',
    `expected ${POSITIONS} positions or more by which to judge units, found ${sample.window.trainingRows.length}`,
  );
}

/**
 * Calls `visit` with the units of each ReLU of `network`, in the order of evaluation, for each batch of positions.
 *
 * @param observations `[count, R, C, P]`
 */
function visitUnits(
  tf: Tensorflow,
  { shape, weights }: Network,
  observations: Float32Array,
  visit: (units: UnitGroup, group: number) => void,
): void {
  const network = new TensorNetwork(tf, shape);
  visitBatches(tf, network, { weights, observations }, (parameters, planes) => {
    const probe = new UnitProbe(tf, network.gradients, shape, network.inputs(parameters, planes));
    headOutputs(probe, shape, trunk(probe, shape));
    for (const [group, units] of probe.groups.entries()) visit(units, group);
  });
}

/** As `visitUnits`, for the first batch of positions only. */
export function visitUnitsOnce(
  tf: Tensorflow,
  network: Network,
  observations: Float32Array,
  visit: (units: UnitGroup, group: number) => void,
): void {
  const size = sizeOfShape(network.shape.observation);
  visitUnits(tf, network, observations.subarray(0, BATCH_SIZE * size), visit);
}

/** For each ReLU of a network, in the order of evaluation: whether each unit is 0 in all positions of a sample. */
function findDeadUnits(tf: Tensorflow, network: Network, observations: Float32Array): readonly boolean[][] {
  const dead: boolean[][] = [];
  visitUnits(tf, network, observations, ({ output }, group) => {
    const axes = output.shape.map((_, axis) => axis).slice(0, -1);
    const greatest = [...output.max(axes).dataSync()];
    dead[group] = greatest.map((value, place) => value === 0 && (dead[group]?.[place] ?? true));
  });
  return dead;
}

/**
 * For each ReLU of a network, in the order of evaluation: the places of its dead units, which are 0 in all positions of
 * a sample, both with the network's weights and with `average`, if there is one.
 */
export function deadPlaces(
  tf: Tensorflow,
  network: Network,
  average: Float32Array | null,
  observations: Float32Array,
): readonly (readonly number[])[] {
  const own = findDeadUnits(tf, network, observations);
  const isAnyDead = own.some((units) => units.includes(true));
  const averaged =
    isAnyDead && average ? findDeadUnits(tf, networkOf(network.shape, average), observations) : null;
  return own.map((units, group) =>
    units.flatMap((isDead, place) => (isDead && averaged?.[group]![place] !== false ? [place] : [])),
  );
}

/** The number of dead units (`deadPlaces`); null if the window has too few rows to judge them. */
export function countDeadUnits<State>(
  sample: UnitSample<State>,
  network: Network,
  average: Float32Array | null,
): number | null {
  const observations = observeSample(sample);
  if (observations === null) return null;
  return deadPlaces(sample.tf, network, average, observations).flat().length;
}
