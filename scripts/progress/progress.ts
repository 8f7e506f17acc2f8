import { visibleText } from '../../env/text/quoted-text.js';
import { cutText } from '../text/columns.js';
import type { Output } from '../output.js';
import { formatDuration } from './duration.js';

/** Least time between two drawings on a terminal. */
const LEAST_DRAW_MS = 100;
/** Time after which a terminal is drawn again if nothing happens. */
export const DRAW_MS = 1000;
/** Time before the first line without a terminal; between all lines with `--verbose`. */
const FIRST_LINE_MS = 10_000;
/** Time between two lines without a terminal. */
export const LINE_MS = 60_000;
/** Most and fewest columns of a bar; a narrower one would be unreadable. */
const MOST_BAR = 30;
const LEAST_BAR = 6;
/** Columns that a bar leaves to the text of its stage. */
const LEAST_TEXT = 24;

/** Shows one stage after another: on a terminal a bar in place, else a line after ten seconds and one a minute. */
export interface Progress {
  /** Ends the previous stage and begins a new one. */
  start(text: string): void;
  /** Updates the progress of the stage: `done` may have a fraction; a `total` of 0 is unknown. */
  update(done: number, total: number): void;
  /** Ends the stage. */
  stop(): void;
}

/** The progress of a running stage. */
export interface Pace {
  readonly done: number;
  /** 0 before the first update, and if it is unknown. */
  readonly total: number;
  /** Since the stage began. */
  readonly elapsedSeconds: number;
  /** Since the first update; work done before that does not count. Null before the second. */
  readonly perSecond: number | null;
}

/** Seconds until all is done; null if the pace is unknown. */
function secondsLeft({ done, total, perSecond }: Pace): number | null {
  return perSecond === null || perSecond === 0 ? null : (total - done) / perSecond;
}

/** Measures the pace of a stage. */
export class PaceMeter {
  private readonly startMs = performance.now();
  private first: { readonly done: number; readonly ms: number } | null = null;
  private last: { readonly done: number; readonly ms: number } | null = null;
  private total = 0;

  update(done: number, total: number): void {
    const now = { done, ms: performance.now() };
    this.first ??= now;
    this.last = now;
    this.total = total;
  }

  get pace(): Pace {
    const { first, last, total, startMs } = this;
    const isMeasured = first !== null && last !== null && last.done > first.done && last.ms > first.ms;
    return {
      done: last?.done ?? 0,
      total,
      elapsedSeconds: (performance.now() - startMs) / 1000,
      perSecond: isMeasured ? ((last.done - first.done) * 1000) / (last.ms - first.ms) : null,
    };
  }
}

/** Three significant digits, without an exponent. */
export function formatRate(perSecond: number): string {
  return String(Number(perSecond.toPrecision(3)));
}

/** Count, rate and time left: `12/400 games  3.1/s  2 min left`; without a rate or a total the time so far. */
function figuresOf(pace: Pace, unit: string): readonly string[] {
  const { done, total, perSecond, elapsedSeconds } = pace;
  const left = secondsLeft(pace);
  // A part of a thing counts for the pace, but is not done.
  const whole = Math.floor(done);
  const counted = total === 0 ? String(whole) : `${whole}/${total}`;
  const count = done + total === 0 ? [] : [`${counted}${unit === '' ? '' : ` ${unit}`}`];
  if (total === 0 && perSecond !== null)
    return [...count, `${formatRate(perSecond)}/s`, `${formatDuration(elapsedSeconds)} so far`];
  if (perSecond === null || left === null) return [...count, `${formatDuration(elapsedSeconds)} so far`];
  return [...count, `${formatRate(perSecond)}/s`, `${formatDuration(Math.ceil(left))} left`];
}

function drawBar(share: number, columns: number): string {
  const filled = Math.round(Math.min(1, Math.max(0, share)) * columns);
  return '█'.repeat(filled) + '░'.repeat(columns - filled);
}

/**
 * A line of progress that fits `columns`. Where there is too little room, the bar goes first, then the end of the text;
 * count, rate and time left stay.
 */
export function progressLine(text: string, pace: Pace, unit: string, columns: number): string {
  const figures = figuresOf(pace, unit).join('  ');
  const room = columns - 1 - figures.length - 2;
  if (room < 1) return figures;
  const barColumns = Math.min(
    MOST_BAR,
    room - 2 - Math.min(text.length, Math.max(LEAST_TEXT, room - 2 - MOST_BAR)),
  );
  if (pace.total === 0 || barColumns < LEAST_BAR)
    return `${cutText(text, Math.max(0, room))}  ${figures}`.trimStart();
  return `${cutText(text, room - 2 - barColumns)}  ${drawBar(pace.done / pace.total, barColumns)}  ${figures}`;
}

/** Shows the stages of one unit; `stop` ends its timer. */
class StageProgress implements Progress {
  private readonly output: Output;
  private readonly unit: string;
  private text = '';
  private meter = new PaceMeter();
  private timer: NodeJS.Timeout | undefined;
  private drawnMs = 0;

  constructor(output: Output, unit: string) {
    this.output = output;
    this.unit = unit;
  }

  start(text: string): void {
    this.stop();
    this.text = text;
    this.meter = new PaceMeter();
    if (this.output.terminal === undefined) {
      this.output.message(text);
      this.schedule(FIRST_LINE_MS);
    } else {
      this.draw();
      this.schedule(DRAW_MS);
    }
  }

  /** Draws after `ms`, then at regular intervals. */
  private schedule(ms: number): void {
    const { terminal, isVerbose } = this.output;
    this.timer = setTimeout(() => {
      this.draw();
      this.schedule(terminal !== undefined ? DRAW_MS : isVerbose === true ? FIRST_LINE_MS : LINE_MS);
    }, ms);
    this.timer.unref();
  }

  update(done: number, total: number): void {
    this.meter.update(done, total);
    const isDue = performance.now() - this.drawnMs >= LEAST_DRAW_MS;
    if (isDue && this.timer !== undefined && this.output.terminal !== undefined) this.draw();
  }

  stop(): void {
    if (this.timer === undefined) return;
    clearTimeout(this.timer);
    this.timer = undefined;
    this.output.terminal?.show([]);
  }

  private draw(): void {
    const { output, text, unit } = this;
    const { pace } = this.meter;
    this.drawnMs = performance.now();
    if (output.terminal === undefined) output.message(`${text}: ${figuresOf(pace, unit).join(', ')}`);
    else output.terminal.show([progressLine(visibleText(text), pace, unit, output.terminal.columns)]);
  }
}

/**
 * Shows progress in this output.
 *
 * @param unit the counted things: games, steps, …
 */
export function createProgress(output: Output, unit: string): Progress {
  return new StageProgress(output, unit);
}
