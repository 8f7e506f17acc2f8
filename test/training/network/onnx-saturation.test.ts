import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fromBinary, toBinary } from '@bufbuild/protobuf';
import { ModelProtoSchema } from 'onnx-buf';
import { expect, test } from 'vitest';
import { littleEndian } from '../../../training/network/little-endian.js';
import { ONNX_TYPE } from '../../../training/network/onnx/onnx-graph.js';
import { temporaryFolder } from '../../data/temporary-folder.js';

const MODELS = join(import.meta.dirname, '../../../models');
const MODEL = join(MODELS, 'gess/checkpoint/model-int8.onnx');
const SHIPPED = readdirSync(MODELS, { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('int8.onnx'),
);
const PRINT_OUTPUTS = join(import.meta.dirname, 'model-outputs.mjs');

/** Element types, as numbers. */
const { int8: INT8, int32: INT32 }: Readonly<Record<string, number>> = ONNX_TYPE;

/** A processor with AVX2 but without VNNI: ONNX Runtime adds products of int8 in pairs, in int16. */
const EMULATOR = ['qemu-x86_64', '-cpu', 'Haswell-noTSX'] as const;
const isX64Linux = process.platform === 'linux' && process.arch === 'x64';
const HAS_VNNI = /\bavx(512)?_vnni\b/.test(readFileSync('/proc/cpuinfo', 'utf8'));
const hasEmulator = spawnSync(EMULATOR[0], ['--version']).status === 0;

/** The same network with weights of 8 bits: integer weights and biases twice as large, scales half as large. */
function withWideWeights(bytes: Uint8Array): Uint8Array {
  const model = fromBinary(ModelProtoSchema, bytes);
  for (const tensor of model.graph!.initializer) {
    const { name, dataType, rawData } = tensor;
    const { buffer } = new Uint8Array(rawData);
    if (/\/(?:kernel|bias)\/scale$/.test(name)) {
      tensor.rawData = littleEndian(new Float32Array(buffer).map((scale) => scale / 2));
    } else if (dataType === INT8) {
      tensor.rawData = littleEndian(new Int8Array(buffer).map((weight) => Math.min(127, 2 * weight)));
    } else if (dataType === INT32 && name.endsWith('/bias')) {
      tensor.rawData = littleEndian(new Int32Array(buffer).map((bias) => 2 * bias));
    }
  }
  return toBinary(ModelProtoSchema, model);
}

/** The outputs of models from a process of Node that `command` starts. */
function outputsOf(command: readonly string[], models: readonly string[]): number[][] {
  const [program, ...args] = [...command, process.execPath, PRINT_OUTPUTS, ...models];
  const { status, stdout, stderr } = spawnSync(program!, args, { encoding: 'utf8' });
  expect({ status, stderr }).toMatchObject({ status: 0 });
  return JSON.parse(stdout) as number[][];
}

function greatestDifference(left: readonly number[], right: readonly number[]): number {
  return left.reduce((most, value, i) => Math.max(most, Math.abs(value - right[i]!)), 0);
}

test('every game has an int8 model', () => {
  expect(new Set(SHIPPED.map((name) => name.split('/')[0]))).toEqual(
    new Set(['connect-four', 'gess', 'quess']),
  );
});

test.each(SHIPPED)('weights of %s have 7 bits: two products fit in int16', (file) => {
  const kernels = fromBinary(ModelProtoSchema, readFileSync(join(MODELS, file))).graph!.initializer.filter(
    ({ name, dataType }) => name.endsWith('/kernel') && dataType === INT8,
  );
  expect(kernels.length).toBeGreaterThan(5);
  for (const { name, rawData } of kernels) {
    const greatest = new Int8Array(new Uint8Array(rawData).buffer).reduce(
      (most, weight) => Math.max(most, Math.abs(weight)),
      0,
    );
    expect(2 * 255 * greatest, name).toBeLessThanOrEqual(2 ** 15 - 1);
  }
});

// .ci/run installs qemu-user, so the test is not skipped there.
const mustRun = process.env['CI'] === 'true' && isX64Linux;

test('the shipped int8 model returns the same on a processor without VNNI', ({ skip }) => {
  skip(!isX64Linux, 'emulates x64 on Linux x64');
  skip(!hasEmulator && !mustRun, 'needs qemu-x86_64: apt-get install qemu-user');
  const wide = join(temporaryFolder(), 'wide.onnx');
  writeFileSync(wide, withWideWeights(readFileSync(MODEL)));
  const [native, wideNative] = outputsOf(['env'], [MODEL, wide]);
  const [emulated, wideEmulated] = outputsOf(EMULATOR, [MODEL, wide]);
  expect(greatestDifference(native!, emulated!)).toBeLessThan(1e-4);
  // So the emulated processor saturates. Without VNNI this one does too, and there is no difference.
  if (HAS_VNNI) expect(greatestDifference(wideNative!, wideEmulated!)).toBeGreaterThan(0.1);
});
