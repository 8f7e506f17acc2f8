import { countOf } from '../../env/text/count-of.js';
import { HEADS } from '../../training/network/heads/head-table.js';
import type { LearnerLosses } from '../../training/learning/loss-means.js';
import { formatClock, formatDuration } from '../progress/duration.js';
import { formatElo } from '../text/elo-text.js';
import { formatRate, progressLine } from '../progress/progress.js';
import { STAGE_NAMES, STAGE_UNITS } from '../progress/stage-text.js';
import { ALARM, FAINT, GOOD, TITLE } from '../terminal/inks.js';
import type { Ink } from '../terminal/terminal-colors.js';
import { evaluationsPerSecond, gamesPerSecond, newestMatches, timesOf } from './run-figures.js';
import type { RunMoment } from './run-reader.js';
import { shellWord } from '../text/shell-word.js';

/** A line of text with its look. */
export type InkedLine = readonly [text: string, ink?: Ink];

/** Most opponents that are listed. */
const MAX_MATCHES = 5;
/** Columns of a name before its figures. */
const NAME_COLUMNS = 12;

/** Describes the activity of the run in a few words. */
function statusText({ status, folder, live }: RunMoment): string {
  const resume = `resume with: gess train --out ${shellWord(folder)} --resume`;
  switch (status) {
    case 'running':
      return live === null ? 'running' : `running, process ${live.processId}`;
    case 'finished':
      return 'finished';
    case 'killed':
      return `its process was killed; ${resume}`;
    case 'failed':
      return `ended with an error; ${resume}`;
    case 'stopped':
    case 'waiting':
      return `stopped; ${resume}`;
  }
}

function statusLine(moment: RunMoment): InkedLine {
  const { status } = moment;
  const ink = status === 'running' || status === 'finished' ? GOOD : status === 'stopped' ? TITLE : ALARM;
  return [statusText(moment), ink];
}

/** The generation in progress. */
function generationOf({ live, metrics, status }: RunMoment): number {
  const newest = metrics.at(-1)?.generation ?? 0;
  return status === 'running' ? (live?.stage?.generation ?? newest) : newest;
}

function stageLines(moment: RunMoment, columns: number, now: number): readonly InkedLine[] {
  const { live, config, status } = moment;
  const head: InkedLine = [`generation ${generationOf(moment)} of ${config.generations}`, TITLE];
  const stage = status === 'running' ? (live?.stage ?? null) : null;
  if (stage === null) return [head];
  const times = timeParts(moment, now);
  const timeLines: readonly InkedLine[] = times.length === 0 ? [] : [[times.join(', ')]];
  const pace = { ...stage, elapsedSeconds: now - stage.since };
  return [
    [`${head[0]}, ${STAGE_NAMES[stage.name]} for ${formatClock(pace.elapsedSeconds)}`, TITLE],
    [stage.detail, FAINT],
    [progressLine('', pace, STAGE_UNITS[stage.name], columns + 1).trimStart()],
    ...timeLines,
  ];
}

function rateLine(moment: RunMoment): readonly InkedLine[] {
  const [games, evaluations] = [gamesPerSecond(moment), evaluationsPerSecond(moment)];
  const samples =
    moment.live?.point?.samplesPerSecond ?? moment.metrics.at(-1)?.learning.samplesPerSecond ?? null;
  const parts = [
    ...(games === null ? [] : [`${formatRate(games)} games/s`]),
    ...(evaluations === null ? [] : [`${formatRate(Math.round(evaluations))} evaluations/s`]),
    ...(samples === null ? [] : [`${formatRate(Math.round(samples))} samples/s`]),
  ];
  return parts.length === 0 ? [] : [[parts.join(', ')]];
}

/** The other machines of a pool: those of now, else those of the last generation. */
function machineLines({ live, metrics, status }: RunMoment): readonly InkedLine[] {
  const machines = (status === 'running' ? live?.machines : undefined) ?? metrics.at(-1)?.machines;
  if (machines === undefined) return [];
  const { workers, games, failures, suspended } = machines;
  const parts = [countOf(workers, 'worker'), countOf(games, 'game')];
  if (failures > 0) parts.push(countOf(failures, 'failure'));
  if (suspended > 0) parts.push(`${suspended} suspended`);
  return [[`pool: ${parts.join(', ')}`, suspended > 0 ? ALARM : {}]];
}

/** The losses of all heads: the newest of learning, and those of the last generation on games held back. */
function lossLines({ live, metrics }: RunMoment): readonly InkedLine[] {
  const last = metrics.at(-1)?.learning;
  const newest: LearnerLosses | undefined = live?.point?.losses ?? last?.training;
  if (newest === undefined) return [];
  const cell = (value: number | null | undefined): string => (value?.toFixed(3) ?? '-').padStart(10);
  const rows = HEADS.flatMap(({ label }): InkedLine[] => {
    const name = `${label}Loss` as keyof LearnerLosses;
    const value = newest[name] ?? null;
    if (value === null) return [];
    const least = label === 'policy' ? newest.targetEntropy : undefined;
    return [[label.padEnd(NAME_COLUMNS) + cell(value) + cell(last?.validation?.[name]) + cell(least)]];
  });
  return [['', {}], ['losses'.padEnd(NAME_COLUMNS) + '       now held back     least', FAINT], ...rows];
}

function eloLines(moment: RunMoment): readonly InkedLine[] {
  const matches = newestMatches(moment).slice(0, MAX_MATCHES);
  if (matches.length === 0) return [];
  const rows = matches.map((record): InkedLine => {
    return [`${formatElo(record).padEnd(20)} ${record.key}, generation ${record.generation}`];
  });
  return [['', {}], ['Elo [95 %]', FAINT], ...rows];
}

function lastGameLines({ lastGame }: RunMoment): readonly InkedLine[] {
  return lastGame === null
    ? []
    : [
        ['', {}],
        [`last game: ${lastGame.text}`, FAINT],
      ];
}

/**
 * The text of a view, the most important lines first.
 *
 * @param columns that a line may have; longer ones are cut by the caller.
 * @param now seconds since 1970.
 */
export function watchLines(moment: RunMoment, columns: number, now: number): readonly InkedLine[] {
  const { folder, config } = moment;
  return [
    [folder, TITLE],
    [`${config.game.id}, ${moment.game.rules}`, FAINT],
    statusLine(moment),
    ...stageLines(moment, columns, now),
    ...rateLine(moment),
    ...machineLines(moment),
    ...lossLines(moment),
    ...eloLines(moment),
    ...lastGameLines(moment),
  ];
}

/** `policy loss 1.780, value loss 1.028`, as far as they are known. */
function lossParts({ live, metrics }: RunMoment): readonly string[] {
  const losses = live?.point?.losses ?? metrics.at(-1)?.learning.training;
  const part = (name: string, loss: number | null | undefined): readonly string[] =>
    typeof loss === 'number' ? [`${name} loss ${loss.toFixed(3)}`] : [];
  return [...part('policy', losses?.policyLoss), ...part('value', losses?.valueLoss)];
}

/** The times to the ends of the stage and of the run, as far as they are known. */
function timeParts(moment: RunMoment, now: number): readonly string[] {
  const { stageLeft, runLeft } = timesOf(moment, now);
  return [
    ...(stageLeft === null ? [] : [`next stage in ${formatDuration(stageLeft)}`]),
    ...(runLeft === null ? [] : [`end in ${formatDuration(runLeft)}`]),
  ];
}

/** One line for a log: stage, count, losses, time left. */
export function watchLine(moment: RunMoment, now: number): string {
  const { live, config, status, evaluations } = moment;
  const stage = status === 'running' ? (live?.stage ?? null) : null;
  const match = evaluations.at(-1);
  return [
    `generation ${generationOf(moment)} of ${config.generations}`,
    stage === null
      ? statusText(moment)
      : `${STAGE_NAMES[stage.name]} ${stage.done}/${stage.total} ${STAGE_UNITS[stage.name]}`,
    ...lossParts(moment),
    ...(match === undefined ? [] : [`Elo ${formatElo(match)} against ${match.key}`]),
    ...timeParts(moment, now),
  ].join(', ');
}
