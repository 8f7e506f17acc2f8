import { InferenceSession, Tensor } from 'onnxruntime-node';
import { expect, test } from 'vitest';
import { createGame } from '../../../../env/games.js';
import { readModelFile } from '../../../../training/export/model-file.js';
import { optimizedModel } from '../../../../training/export/page/optimized-model.js';
import { type RecordedInputs, recordInputs } from '../../../web/benchmark/recorded-inputs.js';

/** The outputs of a model for inputs, one after the other. */
async function outputsOf(
  bytes: Uint8Array,
  recorded: readonly RecordedInputs[],
): Promise<readonly unknown[]> {
  const session = await InferenceSession.create(bytes, { graphOptimizationLevel: 'all' });
  const outputs: unknown[] = [];
  for (const inputs of recorded) {
    const tensors = Object.entries(inputs).map(([name, { type, shape, data }]) => [
      name,
      new Tensor(type, type === 'float32' ? Float32Array.from(data) : Int32Array.from(data), shape),
    ]);
    const results = await session.run(Object.fromEntries(tensors) as Record<string, Tensor>);
    outputs.push(Object.entries(results).map(([name, { data, dims }]) => ({ name, dims, data })));
  }
  await session.release();
  return outputs;
}

test('the optimized model gives the same bits', async () => {
  const bytes = await readModelFile('models/gess/model-legal-int8.onnx', createGame('gess'));
  const optimized = await optimizedModel(bytes, 'the model of Gess');
  expect(Buffer.compare(optimized, bytes)).not.toBe(0);
  const recorded = await recordInputs(bytes, 4, 16);
  expect(recorded.length).toBeGreaterThan(2);
  expect(await outputsOf(optimized, recorded)).toEqual(await outputsOf(bytes, recorded));
});

test('bytes that are no model are refused with the name of their file', async () => {
  const refused = optimizedModel(new Uint8Array(8), 'wrong.onnx');
  await expect(refused).rejects.toMatchObject({ code: 'model-unreadable' });
  await expect(refused).rejects.toThrow('wrong.onnx');
});
