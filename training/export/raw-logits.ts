import { AgentError } from '../../agents/agent-error.js';
import { modelFormOf } from '../../agents/evaluators/model-form.js';
import type { Game } from '../../env/game.js';
import { openOnnxModel } from '../inference/onnx-session.js';

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
): Promise<ReadonlyMap<string, Float32Array>> {
  const session = await openOnnxModel(model);
  try {
    if (modelFormOf(session, game) === 'legal') {
      throw new AgentError(
        'model-mismatch',
        `expected a model without the input 'legal' in ${session.source}`,
      );
    }
    const observation = { data: observations, shape: [count, ...game.observationShape] };
    return await session.run({ observation });
  } finally {
    await session.dispose();
  }
}
