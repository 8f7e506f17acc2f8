import { type Game, gameWithPlanes } from '../../env/game.js';
import { AgentError } from '../agent-error.js';
import { ANY_LENGTH, type InferenceSession } from './inference-session.js';

/**
 * The two forms of a model, by their outputs. `B` is the batch, `K` the length to which legal actions are padded, `A`
 * the number of actions, `[R, C, P]` the shape of an observation.
 *
 * - `policy`: `observation` float32 `[B, R, C, P]` -> `policy` float32 `[B, A]`, `outcome` float32 `[B, 3]`.
 * - `legal`, faster where there are many actions: `observation` and `legal` int32 `[B, K]`, policy indices ->
 *   `legalLogits` float32 `[B, K]`, `outcome`.
 *
 * All outputs are logits; `outcome` is win, draw and loss of the player to move.
 */
export type ModelForm = 'policy' | 'legal';

function checkShape(
  actual: readonly number[] | undefined,
  expected: readonly number[],
  description: string,
): void {
  const fits =
    actual?.length === expected.length &&
    expected.every(
      (length, axis) => length === ANY_LENGTH || actual[axis] === ANY_LENGTH || actual[axis] === length,
    );
  if (fits) return;
  const found = actual === undefined ? 'none' : `[${actual.join(', ')}]`;
  throw new AgentError(
    'model-mismatch',
    `expected ${description} of shape [${expected.join(', ')}], found ${found}`,
  );
}

/** The game whose `observe` writes the model's inputs: the one with or without planes of moves that has as many planes. */
export function observedGame({ inputs }: InferenceSession, game: Game<unknown>): Game<unknown> {
  const planes = inputs.get('observation')?.[3];
  const games = [false, true].map((movePlanes) => gameWithPlanes(game, movePlanes));
  return games.find((seen) => seen?.observationShape[2] === planes) ?? game;
}

/**
 * Checks that a model is a network for `game` and returns its form.
 *
 * @throws AgentError `model-mismatch` if its inputs and outputs are those of another game or of another kind of model.
 */
export function modelFormOf({ inputs, outputs, source }: InferenceSession, game: Game<unknown>): ModelForm {
  const form = inputs.has('legal') ? 'legal' : 'policy';
  const policy =
    form === 'legal'
      ? { name: 'legalLogits', shape: [ANY_LENGTH, ANY_LENGTH] }
      : { name: 'policy', shape: [ANY_LENGTH, game.numActions] };
  checkShape(
    inputs.get('observation'),
    [ANY_LENGTH, ...game.observationShape],
    `input 'observation' of ${game.id} in ${source}`,
  );
  checkShape(outputs.get('outcome'), [ANY_LENGTH, 3], `output 'outcome' in ${source}`);
  checkShape(outputs.get(policy.name), policy.shape, `output '${policy.name}' of ${game.id} in ${source}`);
  return form;
}
