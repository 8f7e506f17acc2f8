// A worker that runs a model with ONNX Runtime alone, at full speed, for comparison with a search.
/* global postMessage, fetch, performance */
import * as ort from './ort.wasm.min.mjs';

ort.env.wasm.wasmPaths = new URL('./', import.meta.url).href;
ort.env.wasm.numThreads = 1;

/** Positions of a call: the first axis of the observation. */
const positionsOf = ({ observation }) => observation.shape[0];

globalThis.onmessage = async ({ data: { model, inputs, measureMs } }) => {
  const bytes = new Uint8Array(await (await fetch(model)).arrayBuffer());
  const session = await ort.InferenceSession.create(bytes, {
    executionProviders: ['wasm'],
    graphOptimizationLevel: 'disabled',
  });
  const feeds = inputs.map((tensors) =>
    Object.fromEntries(
      Object.entries(tensors).map(([name, { type, shape, data }]) => [
        name,
        new ort.Tensor(type, type === 'float32' ? Float32Array.from(data) : Int32Array.from(data), shape),
      ]),
    ),
  );
  for (const feed of feeds) await session.run(feed);
  const start = performance.now();
  let positions = 0;
  for (let call = 0; performance.now() - start < measureMs; call++) {
    await session.run(feeds[call % feeds.length]);
    positions += positionsOf(inputs[call % inputs.length]);
  }
  postMessage((1000 * positions) / (performance.now() - start));
};
