import type * as onnx from 'onnx-buf';
import { loadOptional } from '../../../env/optional-packages.js';

/** The only module that imports onnx-buf and the messages of @bufbuild/protobuf. */
export const { create, toBinary } = await loadOptional(
  '@bufbuild/protobuf',
  () => import('@bufbuild/protobuf'),
);
export const {
  AttributeProto_AttributeType,
  AttributeProtoSchema,
  ModelProtoSchema,
  NodeProtoSchema,
  TensorProto_DataType,
  TensorProtoSchema,
  ValueInfoProtoSchema,
} = await loadOptional('onnx-buf', () => import('onnx-buf'));
export type { AttributeProto, NodeProto, TensorProto, ValueInfoProto } from 'onnx-buf';
// The type of the enumeration above.
export type TensorProto_DataType = onnx.TensorProto_DataType;
