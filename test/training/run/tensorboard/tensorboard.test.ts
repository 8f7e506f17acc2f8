import { readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RunConfig } from '../../../../training/config/run-config.js';
import { openRun } from '../../../../training/run/run-folder.js';
import type { StepsRecord } from '../../../../training/run/run-records.js';
import {
  checkStepEvents,
  STEP_EVENTS_FILE,
  writeStepEvents,
} from '../../../../training/run/tensorboard/step-events.js';
import { runPaths, type RunPaths } from '../../../../training/run/run-paths.js';
import { writeRecord } from '../../../../training/run/run-record-file.js';
import {
  crc32c,
  encodeEventFile,
  type ScalarEvent,
} from '../../../../training/run/tensorboard/event-file.js';
import {
  checkRunEvents,
  EVENTS_FILE,
  writeRunEvents,
} from '../../../../training/run/tensorboard/run-events.js';
import type { Validation } from '../../../../training/learning/validation.js';
import { sumStatistics } from '../../../../training/self-play/self-play-statistics.js';
import { temporaryFolder } from '../../../data/temporary-folder.js';
import { needPackages, runPython } from '../../../python.js';
import { evaluationRecord, metricsRecord } from '../record-fixtures.js';
import { decodeEventFile } from './event-decoder.js';

const eventArbitrary: fc.Arbitrary<ScalarEvent> = fc.record({
  step: fc.nat(2 ** 31 - 1),
  seconds: fc.double({ min: 0, max: 4e9, noNaN: true }),
  scalars: fc
    .array(fc.tuple(fc.string({ unit: 'grapheme' }), fc.float({ noNaN: true })), { maxLength: 5 })
    .map((entries) => new Map(entries)),
});

describe('an event file', () => {
  test('has the checksums of RFC 3720', () => {
    expect(crc32c(Buffer.from('123456789'))).toBe(0xe3069283);
    expect(crc32c(new Uint8Array(32))).toBe(0x8a9136aa);
    expect(crc32c(new Uint8Array(32).fill(0xff))).toBe(0x62a8ab43);
  });

  test('decodes to its events, and begins with the bytes for fewer events', () => {
    fc.assert(
      fc.property(fc.array(eventArbitrary, { maxLength: 4 }), (events) => {
        const file = Buffer.from(encodeEventFile(events));
        const [first, ...decoded] = decodeEventFile(file);
        expect(first).toMatchObject({ version: 'brain.Event:2', step: 0 });
        expect(decoded).toEqual(events.map((event) => ({ ...event, version: null, others: [] })));
        const fewer = encodeEventFile(events.slice(0, -1));
        if (events.length > 1) expect(file.subarray(0, fewer.length).equals(fewer)).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  test('has infinity in place of a number that float32 cannot hold', () => {
    const scalars = new Map([
      ['large', 1.7e308],
      ['small', -1e39],
    ]);
    const [, event] = decodeEventFile(Buffer.from(encodeEventFile([{ step: 1, seconds: 0, scalars }])));
    expect([...event!.scalars.values()]).toEqual([Infinity, -Infinity]);
  });
});

const GAMES = {
  ...sumStatistics([]),
  games: 10,
  plies: 300,
  positions: 290,
  wins: 5,
  draws: 2,
  losses: 2,
  truncated: 1,
};

/** Adds a generation to the records of a run. */
async function addGeneration(paths: RunPaths, generation: number): Promise<void> {
  const blank = metricsRecord(generation);
  const losses = { ...blank.learning.training, policyLoss: 2 / generation, valueLoss: null };
  const calibration = (error: number): Validation['calibration'] => {
    return { rows: 1, error, squaredError: 0, bins: [] };
  };
  const record = {
    ...blank,
    time: 1_700_000_000.5 + generation,
    games: GAMES,
    effort: { seconds: 2, networkEvaluations: 600, cacheHits: 200 },
    learning: {
      ...blank.learning,
      steps: 20,
      learningRate: 1e-3,
      training: losses,
      validation: { ...losses, calibration: calibration(0.25) },
      validationOfLast: { ...losses, calibration: calibration(0.5) },
    },
    distinctPositions: 145,
    windowRows: 290,
    residentBytes: 3 * 2 ** 20,
  };
  await writeRecord(paths, 'metrics', record);
  const match = { score: 0.75, elo: 190, eloLow: 20, eloHigh: null, time: record.time + 0.25 };
  await writeRecord(paths, 'evaluations', evaluationRecord(generation, 'alphabeta:depth=1', match));
}

async function runOf(generations: number): Promise<{ paths: RunPaths; file: string }> {
  const paths = runPaths(join(temporaryFolder(), 'run'));
  const config = RunConfig.parse({ game: { id: 'connect-four' }, learner: { batchSize: 77 } });
  const { lock } = await openRun(paths.folder, { config, resume: false, versions: {} });
  lock.release();
  for (let generation = 1; generation <= generations; generation++) await addGeneration(paths, generation);
  await writeRunEvents(paths);
  return { paths, file: join(paths.tensorboard, EVENTS_FILE) };
}

/** Scalars of the second generation of `runOf`. */
const EXPECTED = {
  'training/policyLoss': 1,
  'validation/policyLoss': 1,
  'validation/calibration/error': 0.25,
  'validationOfLast/calibration/error': 0.5,
  'learning/learningRate': 1e-3,
  'learning/steps': 20,
  'games/pliesPerGame': 30,
  'games/firstPlayerScore': 0.65,
  'games/distinctPositionShare': 0.5,
  'effort/networkEvaluationsPerSecond': 300,
  'effort/cacheHitShare': 0.25,
  'replay/windowRows': 290,
  'process/residentMiB': 3,
  'score/alphabeta:depth=1': 0.75,
  'elo/alphabeta:depth=1': 190,
  'eloLow/alphabeta:depth=1': 20,
};

describe("a run's events", () => {
  test('contain the numbers of its records, by generation', async () => {
    const { file } = await runOf(2);
    const [settings, board, ...events] = decodeEventFile(readFileSync(file)).slice(1);
    expect([settings?.others, board?.others]).toEqual([
      ['_hparams_/experiment', '_hparams_/session_start_info'],
      ['games/firstBoard'],
    ]);
    expect(events.map(({ step, seconds }) => [step, seconds])).toEqual(
      [1, 2].flatMap((step) => [0.5, 0.75].map((part) => [step, 1_700_000_000 + step + part])),
    );
    const found = new Map(events.slice(2).flatMap(({ scalars }) => [...scalars]));
    for (const [tag, value] of Object.entries(EXPECTED))
      expect([tag, found.get(tag)]).toEqual([tag, Math.fround(value)]);
    for (const tag of ['training/valueLoss', 'eloHigh/alphabeta:depth=1', 'games/loserLows']) {
      expect(found.has(tag)).toBe(false);
    }
  });

  test('grow with the run in one file, and are restored after any damage', async () => {
    const { paths, file } = await runOf(1);
    const { ino, size } = statSync(file);
    await addGeneration(paths, 2);
    await writeRunEvents(paths);
    expect(statSync(file).ino).toBe(ino);
    const whole = readFileSync(file);
    expect(whole.length).toBeGreaterThan(size);
    const damages: (() => void)[] = [
      () => undefined,
      // A process was killed in the middle of a write.
      () => {
        truncateSync(file, size + 7);
      },
      () => {
        writeFileSync(file, '');
      },
      () => {
        writeFileSync(file, Buffer.concat([whole, Buffer.from('more')]));
      },
      () => {
        writeFileSync(
          file,
          whole.map((byte, at) => (at === 40 ? byte ^ 1 : byte)),
        );
      },
    ];
    for (const damage of damages) {
      damage();
      await writeRunEvents(paths);
      expect(readFileSync(file).equals(whole)).toBe(true);
    }
  });

  test('are checked against the records', async () => {
    const { paths, file } = await runOf(2);
    expect(await checkRunEvents(file)).toBe(true);
    const whole = readFileSync(file);
    writeFileSync(file, whole.subarray(0, 100));
    expect(await checkRunEvents(file)).toBe(true);
    writeFileSync(
      file,
      whole.map((byte, at) => (at === 100 ? byte ^ 4 : byte)),
    );
    await expect(checkRunEvents(file)).rejects.toMatchObject({ code: 'run-damaged' });
    writeFileSync(paths.metrics, 'no record');
    expect(await checkRunEvents(file)).toBe(false);
  });
});

const LOSSES = metricsRecord(1).learning.training;

/** A point of learning. */
function point(step: number): StepsRecord['points'][number] {
  const losses = { ...LOSSES, policyLoss: 100 / step };
  return {
    step,
    time: 1_700_000_000 + step,
    losses,
    learningRate: 1e-3,
    samplesPerSecond: step === 50 ? null : 500,
  };
}

describe("the events of a run's learning", () => {
  test('contain its points, grow with them, and are checked', async () => {
    const { paths } = await runOf(1);
    const file = join(paths.tensorboard, 'steps', STEP_EVENTS_FILE);
    await writeRecord(paths, 'steps', { generation: 1, points: [point(50)] });
    await writeStepEvents(paths);
    const { ino } = statSync(file);
    await writeRecord(paths, 'steps', { generation: 1, points: [point(50), point(100)] });
    await writeStepEvents(paths);
    expect(statSync(file).ino).toBe(ino);
    const events = decodeEventFile(readFileSync(file)).slice(1);
    expect(events.map(({ step, scalars }) => [step, scalars.get('steps/policyLoss')])).toEqual([
      [50, 2],
      [100, 1],
    ]);
    expect(events.map(({ scalars }) => scalars.get('steps/samplesPerSecond'))).toEqual([undefined, 500]);
    expect(await checkStepEvents(file)).toBe(true);
    writeFileSync(file, Buffer.concat([readFileSync(file), Buffer.from('more')]));
    await expect(checkStepEvents(file)).rejects.toMatchObject({ code: 'run-damaged' });
  });
});

const READER = `
import json, struct, sys
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator, IMAGES, TENSORS
from tensorboard.plugins.hparams import metadata, plugin_data_pb2

events = EventAccumulator(sys.argv[1], size_guidance={IMAGES: 0, TENSORS: 0})
events.Reload()
scalars = {tag: [[e.step, e.wall_time, e.value] for e in events.Scalars(tag)] for tag in events.Tags()["scalars"]}
tags = events.PluginTagToContent("hparams")
session = metadata.parse_session_start_info_plugin_data(tags["_hparams_/session_start_info"])
experiment = metadata.parse_experiment_plugin_data(tags["_hparams_/experiment"])
image = events.Images("games/firstBoard")[0]
steps = EventAccumulator(sys.argv[1] + "/steps")
steps.Reload()
print(json.dumps({
    "scalars": scalars,
    "batch": session.hparams["learner.batchSize"].number_value,
    "game": session.hparams["game.id"].string_value,
    "metrics": [m.name.tag for m in experiment.metric_infos],
    "image": [image.width, image.height, list(struct.unpack(">II", image.encoded_image_string[16:24]))],
    "steps": [[e.step, e.value] for e in steps.Scalars("steps/policyLoss")],
}))
`;

/** The output of `READER`. */
interface Read {
  readonly scalars: Readonly<Record<string, [step: number, seconds: number, value: number][]>>;
  readonly batch: number;
  readonly game: string;
  readonly metrics: readonly string[];
  readonly image: readonly [number, number, readonly [number, number]];
  readonly steps: readonly [number, number][];
}

test('TensorBoard reads the events of a run', { timeout: 60_000 }, async (context) => {
  await needPackages(context, 'python/requirements-data.txt', ['tensorboard']);
  const { paths } = await runOf(2);
  await writeRecord(paths, 'steps', { generation: 1, points: [point(50), point(100)] });
  await writeStepEvents(paths);
  const found = JSON.parse(await runPython(['-c', READER, paths.tensorboard])) as Read;
  for (const [tag, value] of Object.entries(EXPECTED)) {
    expect([tag, found.scalars[tag]?.length]).toEqual([tag, 2]);
    expect(found.scalars[tag]?.[1]).toEqual([
      2,
      expect.closeTo(1_700_000_002.5, 0),
      expect.closeTo(value, 6),
    ]);
  }
  expect([found.batch, found.game]).toEqual([77, 'connect-four']);
  expect(found.metrics).toContain('elo/careful');
  const [width, height, inFile] = found.image;
  expect([width, height]).toEqual(inFile);
  expect(found.steps).toEqual([
    [50, 2],
    [100, 1],
  ]);
});
