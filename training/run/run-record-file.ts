import type * as z from 'zod';
import { writeFileAtomic } from '../../data/files/atomic-file.js';
import { openSealed, sealJson } from '../../data/files/sealed-json.js';
import { readTextIfThere } from '../../data/files/file-reading.js';
import { describeProblems } from '../../env/problems-text.js';
import { TrainingError } from '../training-error.js';
import type { RunPaths } from './run-paths.js';
import { AccuracyRecord, EvaluationRecord, GateRecord, MetricsRecord, RemovalRecord } from './run-records.js';

/** The schema of a line of each file of records, by the file's name in `RunPaths`. */
const RECORD_SCHEMAS = {
  metrics: MetricsRecord,
  evaluations: EvaluationRecord,
  gates: GateRecord,
  removals: RemovalRecord,
  accuracies: AccuracyRecord,
} as const;

/** A file of records of a run, by its name in `RunPaths`. */
export type RecordKind = keyof typeof RECORD_SCHEMAS;

/** A record of a file. */
export type RecordOf<Kind extends RecordKind> = z.infer<(typeof RECORD_SCHEMAS)[Kind]>;

/** All files of records. */
export const RECORD_KINDS = Object.keys(RECORD_SCHEMAS) as readonly RecordKind[];

/** Generations from 1 to `newest` without a record. */
export function missingGenerations(
  records: readonly { readonly generation: number }[],
  newest: number,
): readonly number[] {
  const present = new Set(records.map(({ generation }) => generation));
  return Array.from({ length: newest }, (_, index) => index + 1).filter((each) => !present.has(each));
}

/** A line of a file, with the newline that ends it, and the record in it. */
interface RecordLine<Kind extends RecordKind> {
  readonly text: string;
  readonly record: RecordOf<Kind>;
}

function parseLine<Kind extends RecordKind>(kind: Kind, text: string, place: string): RecordLine<Kind> {
  const { value, seal } = openSealed(text, 'line');
  const damaged = (problem: string): TrainingError =>
    new TrainingError('run-damaged', `expected a record (JSON) on ${place}: ${problem}`);
  if (value === null) throw damaged('it is not a JSON object');
  if (seal !== 'sound') throw damaged(seal === 'altered' ? 'its checksum fails' : 'it has no checksum');
  const parsed = RECORD_SCHEMAS[kind].safeParse(value);
  if (!parsed.success) throw damaged(describeProblems(parsed.error));
  return { text, record: parsed.data as RecordOf<Kind> };
}

async function readLines<Kind extends RecordKind>(
  path: string,
  kind: Kind,
): Promise<readonly RecordLine<Kind>[]> {
  const text = (await readTextIfThere(path)) ?? '';
  const lines = text.split(/(?<=\n)/).filter((line) => line !== '');
  return lines.map((line, index) => parseLine(kind, line, `line ${index + 1} of ${path}`));
}

/**
 * The records of a file of JSON lines, in order, without their checksums; none if the file does not exist.
 *
 * @throws TrainingError `run-damaged`, naming the file and the line, if a line is not a record of this kind or does not
 *   match its own checksum; DataError `file-unreadable`.
 */
export async function readRecords<Kind extends RecordKind>(
  paths: Pick<RunPaths, Kind>,
  kind: Kind,
): Promise<readonly RecordOf<Kind>[]> {
  return (await readLines(paths[kind], kind)).map(({ record }) => record);
}

function keyOf(record: object): unknown {
  return 'key' in record ? record.key : undefined;
}

/**
 * Adds a record, or replaces the one of the same generation and key: a stage that is repeated after a crash leaves one
 * record. The file is written anew, so that it is never cut.
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
    (line) => line.record.generation === record.generation && keyOf(line.record) === keyOf(record),
  );
  // In its place: learning depends on the order of the generations.
  const texts = lines.map(({ text }) => text);
  const line = parseLine(kind, sealJson(record, 'line'), 'a new line').text;
  texts.splice(found === -1 ? texts.length : found, found === -1 ? 0 : 1, line);
  await writeFileAtomic(path, texts.join(''));
}
