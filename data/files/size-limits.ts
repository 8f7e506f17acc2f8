const KIB = 2 ** 10;
const MIB = 2 ** 20;

/** Greatest size in bytes of a file that is read, by its kind. Files of the program itself stay far below. */
export const MAX_BYTES = {
  /** `--config`. */
  config: MIB,
  /** `run-NUMBER.lock`. */
  lock: 4 * KIB,
  /** `run.json`. */
  run: MIB,
  /** `metrics.jsonl` and the like: tens of thousands of generations. */
  records: 64 * MIB,
  /** `manifest.json`, `dataset.json`, `shard-NUMBER.json`: tens of thousands of files. */
  manifest: 4 * MIB,
  /** `match.json`. */
  match: MIB,
  /** `ladder.json`: thousands of matches. */
  ladder: 16 * MIB,
  /** Books of openings, and the judgements that they are made from. */
  openings: 64 * MIB,
  /** `spec.json`. */
  spec: MIB,
  /** `test-vectors.json` of an export. */
  vectors: 16 * MIB,
  /** `seal.json` of the set-up's cache. */
  seal: 4 * MIB,
  /** `model.json`, the graph model of TensorFlow.js. */
  graphModel: 16 * MIB,
  /** `model.onnx`: a hundred million parameters. */
  model: 512 * MIB,
  /** `weights.bin`, `optimizer.bin` and the like. */
  weights: 1024 * MIB,
  /** Shards and episodes, as Arrow or Parquet. */
  shard: 512 * MIB,
  /** Files that grow with a run: the event file of TensorBoard, the records of a pool. */
  events: 256 * MIB,
  /** Game records, as SGF or JSON; a game of a thousand moves has about 20,000 bytes. */
  record: 2 * MIB,
  /** Solved positions. */
  positions: 64 * MIB,
  /** A page for people, `README.md`. */
  page: 16 * MIB,
  /** A file of the web page: ONNX Runtime's WebAssembly is the largest. */
  pageFile: 64 * MIB,
  /** Credentials of a pool of machines. */
  ticket: 64 * KIB,
  /** The JavaScript of a game. */
  gameModule: 16 * MIB,
  /** A library of TensorFlow. */
  library: 4096 * MIB,
} as const;

/** A kind of file that is read. */
export type InputKind = keyof typeof MAX_BYTES;

/** Kinds of the files that manifests name, by the ends of their names. */
const KIND_BY_EXTENSION: Readonly<Record<string, InputKind>> = {
  arrow: 'shard',
  parquet: 'shard',
  bin: 'weights',
  onnx: 'model',
  json: 'graphModel',
  md: 'page',
};

/** The kind of a file that a manifest names; unknown extensions get the limit of `weights`. */
export function kindOfName(name: string): InputKind {
  return KIND_BY_EXTENSION[name.slice(name.lastIndexOf('.') + 1)] ?? 'weights';
}
