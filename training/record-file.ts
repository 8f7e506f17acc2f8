import { z } from 'zod';
import { writeFileAtomic } from '../data/atomic-file.js';
import { readTextIfThere } from '../data/text-file.js';
import { TrainingError } from './errors.js';

const RecordLine = z.looseObject({ generation: z.int().min(0), key: z.string().optional() });

/** A line of `metrics.jsonl` or `evaluations.jsonl`: a JSON object, of one generation. */
export interface RunRecord {
  readonly generation: number;
  /** What else tells it from the generation's other records: an opponent. */
  readonly key?: string;
}

/**
 * The records of a file of JSON lines, in order; none where there is no file.
 *
 * @throws TrainingError `run-damaged` naming the line; DataError `file-unreadable`.
 */
export async function readRecords<R extends RunRecord>(path: string): Promise<readonly R[]> {
  const text = await readTextIfThere(path);
  if (text === null) return [];
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line, index) => {
      try {
        // The program wrote it: what is checked is what tells records apart.
        return RecordLine.parse(JSON.parse(line)) as unknown as R;
      } catch (error) {
        throw new TrainingError('run-damaged', `expected a record (JSON) on line ${index + 1} of ${path}`, {
          cause: error,
        });
      }
    });
}

/**
 * Adds a record, in place of one of the same generation and key: a stage that is done again after a crash
 * leaves one record. The file is written anew, so that it is never cut.
 */
export async function writeRecord(path: string, record: RunRecord): Promise<void> {
  const others = (await readRecords(path)).filter(
    ({ generation, key }) => generation !== record.generation || key !== record.key,
  );
  const lines = [...others, record].map((entry) => `${JSON.stringify(entry)}\n`);
  await writeFileAtomic(path, lines.join(''));
}
