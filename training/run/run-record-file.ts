import { z } from 'zod';
import { describeProblems } from '../../env/problems-text.js';
import { writeFileAtomic } from '../../data/files/atomic-file.js';
import { openSealed, sealJson } from '../../data/files/sealed-json.js';
import { readTextIfThere } from '../../data/files/text-file.js';
import { TrainingError } from '../training-error.js';

const RecordLine = z.looseObject({ generation: z.int().min(0), key: z.string().optional() });

/** A line of `metrics.jsonl` or `evaluations.jsonl`: a JSON object, of one generation. */
export interface RunRecord {
  readonly generation: number;
  /** What else tells it from the generation's other records: an opponent. */
  readonly key?: string;
}

/** Generations from 1 to `newest` without a record: where each is to have one, nothing but a loss explains it. */
export function missingGenerations(
  records: readonly Pick<RunRecord, 'generation'>[],
  newest: number,
): readonly number[] {
  const there = new Set(records.map(({ generation }) => generation));
  return Array.from({ length: newest }, (_, index) => index + 1).filter((each) => !there.has(each));
}

function damagedLine(path: string, index: number, reason: string): TrainingError {
  return new TrainingError(
    'run-damaged',
    `expected a record (JSON) on line ${index + 1} of ${path}: ${reason}`,
  );
}

/** The lines of a file, each with the newline that ends it; none where there is no file. */
async function readLines(path: string): Promise<readonly string[]> {
  const text = await readTextIfThere(path);
  return (text ?? '').split(/(?<=\n)/).filter((line) => line !== '');
}

/**
 * The records of a file of JSON lines, in order, without their checksums; none where there is no file.
 *
 * @throws TrainingError `run-damaged` naming the line: it is none, or does not fit its own checksum; DataError
 *   `file-unreadable`.
 */
export async function readRecords<R extends RunRecord>(path: string): Promise<readonly R[]> {
  const lines = await readLines(path);
  // Lines of earlier versions have no checksums: a line without one is sound among such only.
  const areSealed = lines.some((line) => openSealed(line, 'line').seal !== 'unsealed');
  return lines.map((line, index) => {
    const { value, seal } = openSealed(line, 'line');
    if (seal !== (areSealed ? 'sound' : 'unsealed')) throw damagedLine(path, index, 'its checksum fails');
    const record = RecordLine.safeParse(value);
    if (!record.success) throw damagedLine(path, index, describeProblems(record.error));
    // The program wrote it: what is checked is what tells records apart.
    return record.data as unknown as R;
  });
}

/** Whether every line of a file of records has a checksum of its own; true where there is no line. */
export async function hasSealedRecords(path: string): Promise<boolean> {
  return (await readLines(path)).every((line) => openSealed(line, 'line').seal === 'sound');
}

/**
 * Adds a record, in place of one of the same generation and key: a stage that is done again after a crash
 * leaves one record. The file is written anew, so that it is never cut.
 */
export async function writeRecord(path: string, record: RunRecord): Promise<void> {
  const records = [...(await readRecords(path))];
  const found = records.findIndex(
    ({ generation, key }) => generation === record.generation && key === record.key,
  );
  // In its place: learning goes by the order of the generations.
  records.splice(found === -1 ? records.length : found, found === -1 ? 0 : 1, record);
  const lines = records.map((entry) => sealJson(entry, 'line'));
  await writeFileAtomic(path, lines.join(''));
}
