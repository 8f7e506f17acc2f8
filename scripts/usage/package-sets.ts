import type { OptionalPackage } from '../../env/optional-packages.js';
import { TENSORFLOW_PACKAGES } from '../../training/tensorflow/tensorflow-packages.js';

type PackageSet = readonly OptionalPackage[];

/** Packages of datasets. */
export const DATA_PACKAGES = ['apache-arrow'] as const satisfies PackageSet;

/** Packages of networks that search positions of datasets. */
export const SEARCHED_DATA_PACKAGES = [...DATA_PACKAGES, 'onnxruntime-node'] as const satisfies PackageSet;

/** Packages of datasets in Parquet files. */
export const PARQUET_PACKAGES = [
  ...DATA_PACKAGES,
  'hyparquet',
  'hyparquet-writer',
] as const satisfies PackageSet;

/** Packages of runs: of their checkpoints and shards. */
export const RUN_PACKAGES = [
  '@bufbuild/protobuf',
  'onnx-buf',
  ...DATA_PACKAGES,
] as const satisfies PackageSet;

/** Packages of the report of a run. */
export const REPORT_PACKAGES = [...RUN_PACKAGES, 'echarts'] as const satisfies PackageSet;

/** Packages of all stages of training. */
export const TRAINING_PACKAGES = [
  ...TENSORFLOW_PACKAGES,
  ...RUN_PACKAGES,
  'onnxruntime-node',
] as const satisfies PackageSet;

/** Packages of many machines. */
export const POOL_PACKAGES = [
  '@nats-io/jetstream',
  '@nats-io/nkeys',
  '@nats-io/transport-node',
  ...SEARCHED_DATA_PACKAGES,
] as const satisfies PackageSet;
