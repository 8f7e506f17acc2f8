import type * as z from 'zod';
import { writeFileAtomic } from '../../data/files/atomic-file.js';
import { type JsonForm, type JsonLine, parseForm, readJsonLines } from '../../data/files/json-file.js';
import { CodedError } from '../../env/errors.js';
import { sealJson } from '../../data/files/sealed-json.js';
import { TrainingError } from '../training-error.js';
import type { RunPaths } from './run-paths.js';
import {
  AccuracyRecord,
  EvaluationRecord,
  GateRecord,
  MetricsRecord,
  RemovalRecord,
  StepsRecord,
} from './run-records.js';

/** The schema of a line of each file of records, by the file's name in `RunPaths`. */
const RECORD_SCHEMAS = {
  metrics: MetricsRecord,
  evaluations: EvaluationRecord,
  gates: GateRecord,
  removals: RemovalRecord,
  accuracies: AccuracyRecord,
  steps: StepsRecord,
} as const;

/** A file of records of a run, by its name in `RunPaths`. */
export type RecordKind = keyof typeof RECORD_SCHEMAS;

/** A record of a file. */
export type RecordOf<Kind extends RecordKind> = z.infer<(typeof RECORD_SCHEMAS)[Kind]>;

/** All kinds of records. */
export const RECORD_KINDS = Object.keys(RECORD_SCHEMAS) as readonly RecordKind[];

/** Most missing generations that are listed; the number in a folder's name may be huge. */
const MAX_MISSING = 1000;

/** Generations from 1 to `newest` without a record, at most the first thousand. */
export function missingGenerations(
  records: readonly { readonly generation: number }[],
  newest: number,
): readonly number[] {
  const present = new Set(records.map(({ generation }) => generation));
  const missing: number[] = [];
  for (let generation = 1; generation <= newest && missing.length < MAX_MISSING; generation++) {
    if (!present.has(generation)) missing.push(generation);
  }
  return missing;
}

function formOf<Kind extends RecordKind>(kind: Kind): JsonForm<RecordOf<Kind>> {
  return {
    schema: RECORD_SCHEMAS[kind] as unknown as z.ZodType<RecordOf<Kind>>,
    name: 'a record',
    seal: 'line',
    error: (message, cause) => new TrainingError('run-damaged', message, { cause }),
  };
}

function readLines<Kind extends RecordKind>(
  path: string,
  kind: Kind,
): Promise<readonly JsonLine<RecordOf<Kind>>[]> {
  return readJsonLines(path, 'records', formOf(kind));
}

/** A function that reads the records of a file, such as `readRecords`. */
export type RecordReader = <Kind extends RecordKind>(
  paths: Pick<RunPaths, Kind>,
  kind: Kind,
) => Promise<readonly RecordOf<Kind>[]>;

/**
 * Reads the records of a file without its damaged lines; none if the file cannot be read.
 *
 * @param onDamaged called with the error of each damaged line, or of the file.
 */
export async function readSoundRecords<Kind extends RecordKind>(
  paths: Pick<RunPaths, Kind>,
  kind: Kind,
  onDamaged: (error: Error) => void = () => undefined,
): Promise<readonly RecordOf<Kind>[]> {
  try {
    const lines = await readJsonLines(paths[kind], 'records', formOf(kind), onDamaged);
    return lines.map(({ value }) => value);
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    onDamaged(error);
    return [];
  }
}

/**
 * Reads the records of a file of JSON lines, in order, without their checksums; none if the file does not exist.
 *
 * @throws TrainingError `run-damaged`, naming the file and the line, if a line is not a record of this kind or does not
 *   match its own checksum; DataError `file-unreadable`, `file-too-large`.
 */
export async function readRecords<Kind extends RecordKind>(
  paths: Pick<RunPaths, Kind>,
  kind: Kind,
): Promise<readonly RecordOf<Kind>[]> {
  return (await readLines(paths[kind], kind)).map(({ value }) => value);
}

function keyOf(record: object): unknown {
  return 'key' in record ? record.key : undefined;
}

/**
 * Adds a record, or replaces the one with the same generation and key, so that a stage repeated after a crash leaves
 * one record. The whole file is rewritten, so that it is never truncated.
 *
 * @throws TrainingError `run-damaged` if the file is damaged; DataError `disk-full`, `write-failed`.
 */
export async function writeRecord<Kind extends RecordKind>(
  paths: Pick<RunPaths, Kind>,
  kind: Kind,
  record: RecordOf<Kind>,
): Promise<void> {
  const path = paths[kind];
  const lines = await readLines(path, kind);
  const found = lines.findIndex(
    ({ value }) => value.generation === record.generation && keyOf(value) === keyOf(record),
  );
  // A record is replaced in place: learning depends on the order of the generations.
  const texts = lines.map(({ text }) => text);
  const line = sealJson(record, 'line');
  parseForm(line, formOf(kind), { path });
  texts.splice(found === -1 ? texts.length : found, found === -1 ? 0 : 1, line);
  await writeFileAtomic(path, texts.join(''));
}
