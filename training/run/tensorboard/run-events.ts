import { dirname, join } from 'node:path';
import { makeFolder } from '../../../data/files/atomic-file.js';
import { writeGrowingFile } from '../../../data/files/growing-file.js';
import { type RunPaths, runPaths } from '../run-paths.js';
import { readRecords } from '../run-record-file.js';
import type { EvaluationRecord, GateRecord, MetricsRecord } from '../run-records.js';
import { createGame } from '../../../env/games.js';
import { checkEventFile } from './event-check.js';
import { boardImage } from './board-image.js';
import { type BoardEvent, encodeEventFile, type ScalarEvent } from './event-file.js';
import { readableSettings } from '../../config/settings-by-path.js';
import { readRunFileAt } from '../run-file.js';
import { isJsonObject } from '../../../env/text/json-object.js';

/** The only file of `tensorboard/`; TensorBoard recognizes it by `tfevents` in its name. */
export const EVENTS_FILE = 'events.out.tfevents.0.gess-zero';

/** Adds the finite numbers of an object and of the objects in it. */
function addNumbers(scalars: Map<string, number>, group: string, values: object): void {
  for (const [name, value] of Object.entries(values) as [string, unknown][]) {
    if (typeof value === 'number' && Number.isFinite(value)) scalars.set(`${group}/${name}`, value);
    else if (isJsonObject(value)) addNumbers(scalars, `${group}/${name}`, value);
  }
}

/** Adds the numbers of learning; losses form the separate groups `training` and `validation`. */
function addLearning(scalars: Map<string, number>, learning: object): void {
  for (const [name, part] of Object.entries(learning) as [string, unknown][]) {
    if (typeof part === 'object' && part !== null) addNumbers(scalars, name, part);
    else addNumbers(scalars, 'learning', { [name]: part });
  }
}

/** All numbers of a line of `metrics.jsonl`, and some ratios of them. */
function scalarsOfMetrics(record: MetricsRecord): ReadonlyMap<string, number> {
  const { games, effort, learning, distinctPositions, replay, windowRows } = record;
  const { tensors, residentBytes, machines = {} } = record;
  const perGame = {
    pliesPerGame: games.plies / games.games,
    firstPlayerScore: (games.wins + games.draws / 2 + games.truncated / 2) / games.games,
    truncatedShare: games.truncated / games.games,
    distinctPositionShare: (distinctPositions ?? NaN) / games.positions,
  };
  const rates = {
    networkEvaluationsPerSecond: effort.networkEvaluations / effort.seconds,
    cacheHitShare: effort.cacheHits / (effort.cacheHits + effort.networkEvaluations),
  };
  const scalars = new Map<string, number>();
  addNumbers(scalars, 'games', { ...games, ...perGame });
  addNumbers(scalars, 'effort', { ...effort, ...rates });
  addLearning(scalars, learning);
  addNumbers(scalars, 'replay', { ...replay, windowRows });
  addNumbers(scalars, 'process', { tensors, residentMiB: residentBytes / 2 ** 20 });
  addNumbers(scalars, 'machines', machines);
  return scalars;
}

/** Score and Elo against the opponent; an interval without a bound has no such scalar. */
function scalarsOfEvaluation({ key, ...result }: EvaluationRecord): ReadonlyMap<string, number> {
  const { score, elo, eloLow, eloHigh, truncated, meanPlies, msPerMove } = result;
  const all = { score, elo, eloLow, eloHigh, truncated, meanPlies, msPerMove: msPerMove.agent };
  const scalars = new Map<string, number>();
  for (const [name, value] of Object.entries(all)) addNumbers(scalars, name, { [key]: value });
  return scalars;
}

/** Score and Elo of a new network against the one that played self-play, and the generation that plays it next. */
function scalarsOfGate({
  generation,
  opponent,
  passed,
  score,
  elo,
  eloLow,
  eloHigh,
}: GateRecord): ReadonlyMap<string, number> {
  const scalars = new Map<string, number>();
  addNumbers(scalars, 'gate', { score, elo, eloLow, eloHigh, playing: passed ? generation : opponent });
  return scalars;
}

/** The events of a run: one for each record, by generation. */
function eventsOfRun(
  metrics: readonly MetricsRecord[],
  gates: readonly GateRecord[],
  evaluations: readonly EvaluationRecord[],
): readonly ScalarEvent[] {
  const events = [
    ...metrics.map((record) => ({ ...record, scalars: scalarsOfMetrics(record) })),
    ...gates.map((record) => ({ ...record, scalars: scalarsOfGate(record) })),
    ...evaluations.map((record) => ({ ...record, scalars: scalarsOfEvaluation(record) })),
  ];
  return events
    .sort((a, b) => a.generation - b.generation)
    .map(({ generation, time, scalars }) => ({ step: generation, seconds: time, scalars }));
}

/** The events before the first record: the hyper-parameters and the first board; none without `run.json`. */
async function firstEvents(paths: RunPaths, seconds: number): Promise<readonly BoardEvent[]> {
  const file = await readRunFileAt(paths.runFile);
  if (file === null) return [];
  // The configuration with which the run began never changes.
  const { begunWith, storedConfig } = file;
  const game = createGame(begunWith.game.id, begunWith.game.rules);
  const metrics = begunWith.evaluation.opponents.map((key) => `elo/${key}`);
  const hyperparameters = { step: 0, seconds, values: readableSettings(storedConfig), metrics };
  const image = boardImage(game, game.initialState());
  return [
    hyperparameters,
    ...(image === null ? [] : [{ step: 0, seconds, tag: 'games/firstBoard', ...image }]),
  ];
}

async function contentFor(paths: RunPaths): Promise<Uint8Array> {
  const metrics = await readRecords(paths, 'metrics');
  const gates = await readRecords(paths, 'gates');
  const evaluations = await readRecords(paths, 'evaluations');
  const events = eventsOfRun(metrics, gates, evaluations);
  const [first] = events;
  return encodeEventFile(
    first === undefined ? [] : [...(await firstEvents(paths, first.seconds)), ...events],
  );
}

/**
 * Updates `tensorboard/` to the run's records, without duplicates or gaps, even after a crash.
 *
 * @throws TrainingError `run-damaged` for records; DataError `disk-full`, `write-failed`.
 */
export async function writeRunEvents(paths: RunPaths): Promise<void> {
  const content = await contentFor(paths);
  await makeFolder(paths.tensorboard);
  await writeGrowingFile(join(paths.tensorboard, EVENTS_FILE), content);
}

/**
 * Compares an event file, which may lack the newest events, with the run's records.
 *
 * @returns false if the records or `run.json` cannot be read.
 * @throws TrainingError `run-damaged`; DataError `file-unreadable`.
 */
export async function checkRunEvents(path: string): Promise<boolean> {
  const paths = runPaths(dirname(dirname(path)));
  // The first events contain the settings of the run.
  if ((await readRunFileAt(paths.runFile).catch(() => null)) === null) return false;
  return checkEventFile(path, () => contentFor(paths));
}
