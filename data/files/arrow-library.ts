import type * as arrow from 'apache-arrow';
import { loadOptional } from '../../env/optional-packages.js';

/** The only module that imports apache-arrow: all others take its values and types from here. */
export const {
  Bool,
  Field,
  FixedSizeBinary,
  Float32,
  Float64,
  Int16,
  Int32,
  Int8,
  List,
  makeData,
  RecordBatch,
  Schema,
  Struct,
  Table,
  tableToIPC,
  Uint16,
  Uint32,
  Uint64,
  Uint8,
  Utf8,
  vectorFromArray,
} = await loadOptional('apache-arrow', () => import('apache-arrow'));
export type { Data, DataType } from 'apache-arrow';
// The types of the classes above.
export type Field = arrow.Field;
