import { AgentError } from '../../agents/agent-error.js';
import { type ModelForm, modelFormOf } from '../../agents/evaluators/model-form.js';
import type { InferenceSession } from '../../agents/evaluators/inference-session.js';
import type { Game } from '../../env/game.js';
import { useOnnxModel } from '../inference/onnx-session.js';
import type { Answers, CheckedPositions, ModelOutputs } from './checked-positions.js';

/** Opens an ONNX model of the given form and runs it once with `run`. */
function runOnce(
  game: Game<unknown>,
  model: Uint8Array,
  form: ModelForm,
  run: (session: InferenceSession) => Promise<ModelOutputs>,
): Promise<ModelOutputs> {
  return useOnnxModel(model, async (session) => {
    if (modelFormOf(session, game) !== form) {
      const input = form === 'legal' ? "with the input 'legal'" : "without the input 'legal'";
      throw new AgentError('model-mismatch', `expected a model ${input} in ${session.source}`);
    }
    return run(session);
  });
}

/**
 * Runs an ONNX model of the form `policy` once, to compare its logits with those of other programs.
 *
 * @param model bytes of the ONNX file.
 * @param observations `[count, R, C, P]`.
 * @returns the outputs by name, `[count, …]` each.
 * @throws AgentError `model-unreadable`, `model-mismatch`.
 */
export async function readRawLogits(
  game: Game<unknown>,
  model: Uint8Array,
  observations: Float32Array,
  count: number,
): Promise<ModelOutputs> {
  const observation = { data: observations, shape: [count, ...game.observationShape] };
  return runOnce(game, model, 'policy', (session) => session.run({ observation }));
}

/**
 * Runs an ONNX model of the form `legal` once.
 *
 * @param model bytes of the ONNX file.
 * @throws AgentError `model-unreadable`, `model-mismatch`.
 */
export async function readLegalAnswers(model: Uint8Array, positions: CheckedPositions): Promise<Answers> {
  const { game, count, width } = positions;
  const observation = { data: positions.observations, shape: [count, ...game.observationShape] };
  const legal = { data: positions.legal, shape: [count, width] };
  const outputs = await runOnce(game, model, 'legal', (session) => session.run({ observation, legal }));
  return { legalLogits: outputs.get('legalLogits')!, outcome: outputs.get('outcome')! };
}
