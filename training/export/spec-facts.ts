import { isDeepStrictEqual } from 'node:util';
import { DataError } from '../../data/data-error.js';
import type { Checkpoint } from '../checkpoints/checkpoint.js';
import { describeModel } from './model-spec.js';
import type { ModelSpec } from './spec-schema.js';

/** The facts of a specification that front-ends compute with. Texts for people differ between versions. */
function factsOf(spec: ModelSpec): Readonly<Record<string, unknown>> {
  const { players, plyLimit, network, observation, legal, actions, outputs, models } = spec;
  return {
    players,
    plyLimit,
    'network.parameters': network.parameters,
    'observation.shape': observation.shape,
    'observation.range': observation.range,
    'observation.planes, their indices': observation.planes.map(({ index }) => index),
    'legal.shape': legal.shape,
    'actions.count': actions.count,
    'outputs, their names': outputs.map(({ name }) => name),
    'outputs, their shapes': outputs.map(({ shape }) => shape),
    models,
  };
}

/**
 * Checks that a specification describes the game and the network of its export.
 *
 * @param path of the specification, for the message.
 * @throws DataError `manifest-damaged`, which names the first fact that differs.
 */
export function expectFacts(path: string, spec: ModelSpec, checkpoint: Checkpoint): void {
  const expected = factsOf(describeModel(checkpoint, spec));
  for (const [name, found] of Object.entries(factsOf(spec))) {
    if (isDeepStrictEqual(found, expected[name])) continue;
    const [wanted, got] = [expected[name], found].map((fact) => JSON.stringify(fact));
    throw new DataError('manifest-damaged', `expected in ${path}, ${name}: ${wanted}; got ${got}`);
  }
}
