/** File of a TensorFlow.js graph model: its operations, and the names and places of its weights. */
export const MODEL_FILE = 'model.json';
/** File of its weights, which `MODEL_FILE` names. */
export const WEIGHTS_FILE = 'weights.bin';
