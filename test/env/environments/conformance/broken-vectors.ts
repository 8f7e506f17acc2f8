import { checkVectorEnvironment } from '../../../../env/environments/conformance/conformance.js';
import { make } from '../../../../env/environments/make.js';
import { makeVec } from '../../../../env/environments/vector/make-vec.js';
import type { VectorEnvironment } from '../../../../env/environments/vector/vector-environment.js';
import type { Broken } from './broken-games.js';
import { withFaults } from './with-faults.js';

const FAULTS: readonly (readonly [string, (vector: VectorEnvironment) => Partial<VectorEnvironment>])[] = [
  [
    'all environments have the same seed',
    (vector) => ({ reset: (options) => vector.reset({ ...options, seed: [1, 1, 1] }) }),
  ],
  ['a finished episode is reset too late', () => ({ autoreset: 'same-step' })],
  [
    'an environment shows the results of another one',
    (vector) => ({
      step: (actions) => {
        const told = vector.step(actions);
        const { observation, actionMask } = told.observations;
        observation.copyWithin(0, observation.length / vector.numEnvs);
        return { ...told, observations: { observation, actionMask } };
      },
    }),
  ],
  [
    'actions go to the wrong environments',
    (vector) => ({ step: (actions) => vector.step(Array.from(actions).reverse()) }),
  ],
];

/** Vectors of Connect Four against an opponent, with one fault each. */
export const BROKEN_VECTORS: readonly Broken[] = FAULTS.map(([fault, faultsOf]) => ({
  fault,
  code: 'vector-differs',
  check: () =>
    checkVectorEnvironment(
      () => {
        const vector = makeVec('gess/ConnectFour', { numEnvs: 3, opponent: 'random' });
        return withFaults(vector, faultsOf(vector));
      },
      () => make('gess/ConnectFour', { opponent: 'random' }),
    ),
}));
