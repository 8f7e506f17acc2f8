import { formatPercent } from '../../env/text/percent.js';
import type { ExportProof } from '../../training/export/export-proof.js';
import type { ExportResult } from '../../training/export/model-export.js';

/** The result of an export for people, several lines. */
export function describeExport({ folder, files, parity }: ExportResult): string {
  const { positions, tensorflowJs, onnxPolicy, onnxLegal, int8 } = parity;
  const digits = (difference: number): string => difference.toExponential(1);
  return [
    `wrote ${Object.keys(files).join(', ')} to ${folder}`,
    `greatest difference from the trainer on ${positions} positions: ${digits(tensorflowJs)} (TensorFlow.js), ` +
      `${digits(onnxPolicy)} (ONNX, policy), ${digits(onnxLegal)} (ONNX, legal)`,
    `int8: the same best move in ${formatPercent(int8.sameMoves, 0)} of them, values differ by ` +
      `${int8.valueError.toFixed(3)} on average`,
  ].join('\n');
}

/** The verification of an export for people, in several lines. */
export function describeProof({
  folder,
  game,
  rules,
  generation,
  files,
  positions,
  models,
}: ExportProof): string {
  return [
    `${folder}: a model of ${game}, rules ${rules}, generation ${generation}`,
    `checksums of ${files.length} files, and the form of the specification: sound`,
    `${positions} test vectors: moves, planes and legal actions are those of this program`,
    ...models.map(
      ({ file, difference, tolerance }) =>
        `${file}: outputs differ by at most ${difference.toExponential(1)} (allowed: ${tolerance})`,
    ),
  ].join('\n');
}
