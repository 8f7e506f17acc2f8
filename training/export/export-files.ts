/** Names of the files of an export. */
export const EXPORT_FILES = {
  /** Describes the model and has the checksums of the other files. */
  spec: 'spec.json',
  /** The JSON Schema of `spec.json`. */
  specSchema: 'spec.schema.json',
  /** The model card. */
  card: 'README.md',
  /** Positions with the outputs that other programs should get. */
  vectors: 'test-vectors.json',
  graph: 'tensorflowjs-model.json',
  weights: 'tensorflowjs-weights.bin',
  /** ONNX with the logits of all actions. */
  policy: 'model-policy.onnx',
  /** ONNX with the logits of the legal actions, gathered in the graph. */
  legal: 'model-legal.onnx',
  /** The same with a trunk that computes in int8. */
  int8: 'model-legal-int8.onnx',
} as const;

/** Names of the files whose checksums `spec.json` has. */
export const LISTED_FILES = Object.values(EXPORT_FILES).filter((name) => name !== EXPORT_FILES.spec);

/** Greatest difference in a logit between programs that compute in float32. */
export const TOLERANCE = 1e-4;
/**
 * Greatest difference in a logit between programs that run the int8 model. They agree to 1e-4 unless an activation lies
 * halfway between two integers, where programs round differently. One such activation changes the logits of moves that
 * are never played by up to 0.3, probabilities by less than 1e-4 (the shipped network of Gess, 3 of 200 positions).
 */
export const INT8_TOLERANCE = 0.5;
/** The same in exports of version 1.0.0. */
export const FIRST_INT8_TOLERANCE = 0.1;
