import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatClock, formatDuration } from '../../../scripts/progress/duration.js';
import { type Pace, progressLine } from '../../../scripts/progress/progress.js';
import { loopProgress } from '../../../scripts/progress/loop-progress.js';
import { TerminalBlock } from '../../../scripts/terminal/terminal-block.js';
import type { MetricsRecord } from '../../../training/run/run-records.js';
import { captureOutput } from '../captured-output.js';

const pace = (parts: Partial<Pace>): Pace => ({
  done: 0,
  total: 0,
  elapsedSeconds: 3,
  perSecond: null,
  ...parts,
});

test('count, rate and time left are never cut, and a line is narrower than the terminal', () => {
  fc.assert(
    fc.property(
      fc.string({ maxLength: 120, unit: fc.constantFrom('a', ' ', 'z') }),
      fc.integer({ min: 50, max: 200 }),
      fc.nat(1_000_000),
      (text, columns, total) => {
        const done = Math.floor(total / 3);
        const line = progressLine(text, pace({ done, total, perSecond: 123.456 }), 'games', columns);
        expect(line.length).toBeLessThan(columns);
        if (total > 0) expect(line).toContain(`${done}/${total} games  123/s  `);
        expect(line.endsWith(total > 0 ? ' left' : 'so far')).toBe(true);
      },
    ),
  );
});

test('before the first result there is no time left', () => {
  expect(progressLine('gess: 400 games', pace({ total: 400 }), 'games', 80)).toMatch(
    / 0\/400 games {2}3 s so far$/,
  );
  expect(progressLine('gess: 400 games', pace({}), 'games', 80)).toBe('gess: 400 games  3 s so far');
});

test.each([
  [null, 'policy loss 1.840, value loss 0.969'],
  [
    { policyLoss: 1.75, valueLoss: 0.8 },
    'policy loss 1.840 (1.750 on games held back), value loss 0.969 (0.800 on games held back)',
  ],
])('a generation with the validation %j has these losses', (validation, losses) => {
  const output = captureOutput();
  const training = { policyLoss: 1.84, valueLoss: 0.969 };
  const games = { positions: 342, games: 16, plies: 368 };
  const learning = { training, validation, samples: 1280, samplesPerSecond: 1500 };
  loopProgress(output).onMetrics({ generation: 1, games, learning } as unknown as MetricsRecord);
  expect(output.messages).toEqual([
    `gess: generation 1: 342 positions of 16 games (23 plies), 1280 samples at 1500/s, ${losses}`,
  ]);
});

/** A terminal of these columns that understands what a block writes. */
class Screen {
  readonly columns: number;
  private readonly lines: string[] = [''];
  private row = 0;
  private column = 0;

  constructor(columns: number) {
    this.columns = columns;
  }

  write(text: string): void {
    // eslint-disable-next-line no-control-regex -- escape sequences
    for (const [part, up] of text.matchAll(/\x1b\[(\d*)[AJ]|[^]/g)) {
      if (part === '\r') this.column = 0;
      else if (part === '\n') this.newLine();
      else if (part.endsWith('A') && part.length > 1) this.row -= Number(up);
      else if (part.endsWith('J') && part.length > 1) this.clearBelow();
      else this.put(part);
    }
  }

  get text(): string {
    return this.lines.join('\n');
  }

  private newLine(): void {
    this.row += 1;
    this.column = 0;
    this.lines[this.row] ??= '';
  }

  private clearBelow(): void {
    this.lines.length = this.row + 1;
    this.lines[this.row] = this.lines[this.row]!.slice(0, this.column);
  }

  private put(letter: string): void {
    if (this.column === this.columns) this.newLine();
    const line = this.lines[this.row]!;
    this.lines[this.row] =
      line.slice(0, this.column).padEnd(this.column) + letter + line.slice(this.column + 1);
    this.column += 1;
  }
}

test('messages above a block are shown in full, and the block leaves nothing behind', () => {
  const lineArbitrary = fc.string({ maxLength: 19, unit: fc.constantFrom('a', 'b', ' ') });
  const step = fc.oneof(
    fc.record({ show: fc.array(lineArbitrary, { maxLength: 4 }) }),
    fc.record({ message: lineArbitrary }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      const screen = new Screen(20);
      const block = new TerminalBlock(screen);
      const messages: string[] = [];
      for (const one of steps) {
        if ('show' in one) block.show(one.show);
        else {
          block.write(`${one.message}\n`);
          messages.push(one.message);
        }
      }
      block.show([]);
      expect(screen.text).toBe([...messages, ''].join('\n'));
    }),
  );
});

test('a clock changes every second', () => {
  expect([0, 7.9, 75, 3599, 12_005].map(formatClock)).toEqual(['0:00', '0:07', '1:15', '59:59', '3:20:05']);
  expect([40, 720, 12_000, Infinity].map(formatDuration)).toEqual(['40 s', '12 min', '3 h 20 min', '∞']);
});
