import { writeFileSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import * as z from 'zod';
import { temporaryPath } from '../../../data/files/atomic-file.js';
import { type JsonForm, readJsonFile } from '../../../data/files/json-file.js';
import { whileUnfinished } from '../../../data/files/unfinished-paths.js';
import { CodedError } from '../../../env/errors.js';
import { LearningPoint } from '../../learning/learning-point.js';
import { PoolSummary } from '../../statistics/pool-summary.js';
import { BACKENDS } from '../../tensorflow/backend.js';
import { TrainingError } from '../../training-error.js';
import { STAGES } from './stage-names.js';

/** Version of `live.json`. */
export const LIVE_VERSION = 1 as const;

const count = z.int().min(0);
/** Seconds since 1970. */
const time = z.number().min(0);

/** The machine of the process that wrote the file. */
const Hardware = z.strictObject({
  processor: z.string(),
  cores: count,
  memoryBytes: count,
  system: z.string(),
});
export type Hardware = z.infer<typeof Hardware>;

/** A stage in progress. */
const LiveStage = z.strictObject({
  name: z.enum(STAGES),
  generation: count,
  /** Description for people. */
  detail: z.string(),
  since: time,
  /** Games or steps done. */
  done: count,
  /** 0 before the first result. */
  total: count,
  /** Null before the second result. */
  perSecond: z.number().min(0).nullable(),
});
export type LiveStage = z.infer<typeof LiveStage>;

/** The content of `live.json`: the current activity of a run, for people who watch it. No later work depends on it. */
export const LiveState = z.strictObject({
  liveVersion: z.literal(LIVE_VERSION),
  /** Also `running` if the process was killed; the run's lock tells the two apart. */
  state: z.enum(['running', 'stopped', 'finished', 'failed']),
  processId: count,
  /** Times at which this process began and at which it wrote the file. */
  since: time,
  time,
  backend: z.enum(BACKENDS),
  hardware: Hardware,
  /** Null before the first stage. */
  stage: LiveStage.nullable(),
  /** The newest losses of learning; null before the first. */
  point: LearningPoint.nullable(),
  /** Absent without a pool of other machines. */
  machines: PoolSummary.optional(),
});
export type LiveState = z.infer<typeof LiveState>;

/** The state of a run without its version. */
export type NewLiveState = Omit<LiveState, 'liveVersion'>;

/**
 * Writes `live.json` atomically. The file is not synced, and a failure is not reported: a full disk stops the run when
 * it writes its results.
 */
export async function writeLiveState(path: string, state: NewLiveState): Promise<void> {
  const temporary = temporaryPath(path);
  const content: LiveState = { liveVersion: LIVE_VERSION, ...state };
  try {
    await whileUnfinished(temporary, async () => {
      // At once, as in `writeFileAtomic`.
      writeFileSync(temporary, '', { flag: 'wx' });
      await writeFile(temporary, `${JSON.stringify(content)}\n`, { flag: 'r+' });
      await rename(temporary, path);
    });
  } catch {
    return;
  }
}

const LIVE_FORM: JsonForm<LiveState> = {
  schema: LiveState,
  name: 'the state of a run',
  seal: null,
  error: (message, cause) => new TrainingError('run-damaged', message, { cause }),
};

/** Reads `live.json`; null if it is missing or this program does not understand it. */
export async function readLiveState(path: string): Promise<LiveState | null> {
  try {
    return await readJsonFile(path, 'run', LIVE_FORM);
  } catch (error) {
    if (error instanceof CodedError) return null;
    throw error;
  }
}
