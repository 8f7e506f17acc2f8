import { expect, test } from 'vitest';
import { assertConforms, checkTurnEnvironment } from '../../../env/environments/conformance/conformance.js';
import { make, makeFromSpec, readEnvSpec, specOf } from '../../../env/environments/make.js';
import { makeVec } from '../../../env/environments/vector/make-vec.js';

const KWARGS = { movePlanes: true, plyLimit: 12 };

test.each(['gess/Gess', 'gess/Gach'])('%s with planes of moves conforms', (id) => {
  assertConforms(checkTurnEnvironment(() => make(id, KWARGS)));
});

test('spaces, specs and vectors have the planes', () => {
  const env = make('gess/Gess', KWARGS);
  const shape = [20, 20, 24];
  expect(env.observationSpace('black')).toMatchObject({ spaces: { observation: { shape } } });
  const again = makeFromSpec(readEnvSpec(JSON.parse(JSON.stringify(specOf(env)))));
  expect(specOf(again)).toEqual(specOf(env));
  expect((again as typeof env).observationSpace('black')).toMatchObject({
    spaces: { observation: { shape } },
  });
  const { observations } = makeVec('gess/Gess', { numEnvs: 2, ...KWARGS }).reset({ seed: 1 });
  expect(observations.observation).toHaveLength(2 * 20 * 20 * 24);
});

test('a game without planes of moves refuses the keyword', () => {
  expect(() => make('gess/Quess', { movePlanes: true })).toThrow(
    'gess/Quess-v0: expected movePlanes false, as quess has no planes of moves, got true',
  );
  expect(make('gess/Quess', { movePlanes: false }).possibleAgents).toEqual(['light', 'dark']);
});
