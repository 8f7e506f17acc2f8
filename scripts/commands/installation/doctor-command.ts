import type { Command } from '@commander-js/extra-typings';
import { TrainingError } from '../../../training/training-error.js';
import { diagnose, type Diagnosis } from '../../../training/tensorflow/diagnosis.js';
import type { Output } from '../../output.js';
import { alignPairs } from '../../text/columns.js';

function formatDiagnosis({ versions, cpuFeatures, cache, ...rest }: Diagnosis): string {
  const features = Object.entries(cpuFeatures ?? {}).map(([name, has]) => `${has ? '' : 'no '}${name}`);
  const rows: readonly (readonly [string, string | null])[] = [
    ['gess-zero', versions.gess],
    ['Node', versions.node],
    ['platform', rest.platform],
    ['threads', String(rest.threads)],
    ['processor', cpuFeatures === null ? null : features.join(', ')],
    ['backend', rest.backend],
    ['TensorFlow', versions.tensorflow],
    ['tfjs-node', versions.tfjsNode],
    ['tfjs-wasm', versions.wasm],
    ['ONNX Runtime', versions.onnxruntime],
    ['Python', versions.python],
    ['pip', versions.pip],
    ['compiler', versions.compiler],
    ['cache', `${cache.folder} (${Math.round(cache.bytes / 1e6)} MB)`],
  ];
  return alignPairs(rows.map(([name, value]) => [name, value ?? 'none']));
}

/** `gess doctor`: software and hardware of this machine; fails with a remedy for each missing prerequisite. */
export function defineDoctor(command: Command, output: Output): void {
  command.option('--json', 'print one JSON object').action(async ({ json }) => {
    const diagnosis = await diagnose();
    output.result(json === true ? JSON.stringify(diagnosis) : formatDiagnosis(diagnosis));
    if (diagnosis.lacks.length === 0) return;
    for (const { what, remedy } of diagnosis.lacks) output.message(`- ${what}. Remedy: ${remedy}`);
    const count = diagnosis.lacks.length;
    const things = count === 1 ? 'the prerequisite' : `the ${count} prerequisites`;
    throw new TrainingError('machine-lacks', `expected ${things} above`);
  });
}
