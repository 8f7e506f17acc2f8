import { InferenceSession, Tensor } from 'onnxruntime-node';
import { expect, test } from 'vitest';
import { readPageModel } from '../../../training/export/page-model.js';
import { optimizedModel } from '../../../web/build/optimized-model.js';
import { type RecordedInputs, recordInputs } from '../benchmark/recorded-inputs.js';

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
  const { bytes } = await readPageModel('models/gess');
  const optimized = await optimizedModel(bytes);
  expect(Buffer.compare(optimized, bytes)).not.toBe(0);
  const recorded = await recordInputs(bytes, 4, 16);
  expect(recorded.length).toBeGreaterThan(2);
  expect(await outputsOf(optimized, recorded)).toEqual(await outputsOf(bytes, recorded));
});
