import { AgentError } from '../../agents/agent-error.js';
import { modelFormOf } from '../../agents/evaluators/model-form.js';
import type { Game } from '../../env/game.js';
import { openOnnxModel } from '../inference/onnx-session.js';

/** A network's outputs for some positions, before any softmax. */
export interface RawLogits {
  /** `[count, A]` by policy index. */
  readonly policy: Float32Array;
  /** `[count, 3]` win, draw, loss of the player to move. */
  readonly outcome: Float32Array;
  /** The model's other outputs, by name. */
  readonly auxiliary: ReadonlyMap<string, Float32Array>;
}

/**
 * Runs an ONNX model of the form `policy` once, to compare its logits with those of other programs.
 *
 * @param model bytes of the ONNX file.
 * @param observations `[count, R, C, P]`.
 * @throws AgentError `model-unreadable`, `model-mismatch`.
 */
export async function readRawLogits(
  game: Game<unknown>,
  model: Uint8Array,
  observations: Float32Array,
  count: number,
): Promise<RawLogits> {
  const session = await openOnnxModel(model);
  try {
    if (modelFormOf(session, game) === 'legal') {
      throw new AgentError(
        'model-mismatch',
        `expected a model without the input 'legal' in ${session.source}`,
      );
    }
    const observation = { data: observations, shape: [count, ...game.observationShape] };
    const outputs = await session.run({ observation });
    const auxiliary = new Map(outputs);
    auxiliary.delete('policy');
    auxiliary.delete('outcome');
    return { policy: outputs.get('policy')!, outcome: outputs.get('outcome')!, auxiliary };
  } finally {
    await session.dispose();
  }
}
