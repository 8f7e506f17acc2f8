import type { RowWindow } from '../../../data/datasets/row-window.js';
import type { Game } from '../../../env/game.js';
import { observeRows } from '../../checkpoints/observed-rows.js';
import { headOutputs } from '../../network/heads/head-outputs.js';
import type { Network } from '../../network/network.js';
import { TensorNetwork } from '../../network/tensor-network.js';
import { trunk } from '../../network/trunk.js';
import { type UnitGroup, UnitProbe } from '../../network/unit-probe.js';
import type { Tensorflow } from '../../tensorflow/tensorflow.js';

/** Positions by which units are judged. */
const POSITIONS = 256;

/** The positions by which units are judged: training rows of the window. */
export interface UnitSample<State> {
  readonly tf: Tensorflow;
  readonly game: Game<State>;
  readonly window: RowWindow;
}

/** Whether the window has enough rows to judge units. */
export function isLargeEnough(window: RowWindow): boolean {
  return window.trainingRows.length >= POSITIONS;
}

/** Calls `visit` with the units of each ReLU of `network`, on the sample. */
export function visitUnits<State>(
  { tf, game, window }: UnitSample<State>,
  { shape, weights }: Network,
  visit: (units: UnitGroup) => void,
): void {
  const observations = observeRows(game, window, POSITIONS);
  const network = new TensorNetwork(tf, shape);
  tf.tidy(() => {
    const planes = network.observationTensor(observations, POSITIONS);
    const inputs = network.inputs(network.parameterTensors(weights), planes);
    const probe = new UnitProbe(tf, network.gradients, shape, inputs);
    headOutputs(probe, shape, trunk(probe, shape));
    for (const units of probe.groups) visit(units);
  });
}

/** The places of the units that are 0 everywhere. */
export function deadPlaces({ output }: UnitGroup): readonly number[] {
  const axes = output.shape.map((_, axis) => axis).slice(0, -1);
  return [...output.max(axes).dataSync()].flatMap((greatest, place) => (greatest > 0 ? [] : [place]));
}

/** The number of dead units of a network: 0 in all positions of the sample; null if the window is too small. */
export function countDeadUnits<State>(sample: UnitSample<State>, network: Network): number | null {
  if (!isLargeEnough(sample.window)) return null;
  let dead = 0;
  visitUnits(sample, network, (units) => {
    dead += deadPlaces(units).length;
  });
  return dead;
}
