import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SilenceMeter } from '../../../training/workers/silence-meter.js';

const LIMITS = { idleLimitMs: 1200, busyLimitMs: 6000 };
const TICKS_OF_IDLE = 12;
const TICKS_OF_BUSY = 60;

/** The activity of a process between two ticks. */
const Life = fc.record({ isHeard: fc.boolean(), works: fc.boolean() });

/** The tick at which the process counts as hanging, and the reason; null: never. */
function verdictOf(lives: readonly { isHeard: boolean; works: boolean }[]): [number, string] | null {
  let processorTime = 5;
  const meter = new SilenceMeter(LIMITS, () => processorTime);
  expect(meter.tickMs).toBe(100);
  for (const [index, { isHeard, works }] of lives.entries()) {
    if (isHeard) meter.heard();
    if (works) processorTime += 1;
    const verdict = meter.tick();
    if (verdict !== null) return [index + 1, verdict];
  }
  return null;
}

test('a process that responds in time never counts as hanging', () => {
  fc.assert(
    fc.property(fc.array(Life, { maxLength: 300 }), (lives) => {
      const alive = lives.map((life, index) => (index % 10 === 9 ? { ...life, isHeard: true } : life));
      expect(verdictOf(alive)).toBeNull();
      const working = lives.map((life, index) => ({
        works: true,
        isHeard: life.isHeard || index % 50 === 9,
      }));
      expect(verdictOf(working)).toBeNull();
    }),
  );
});

test('a silent process counts as hanging exactly after the limit for idle or busy ones', () => {
  fc.assert(
    fc.property(fc.array(Life, { maxLength: 40 }), (before) => {
      const start = [...before, { isHeard: true, works: true }].map((life, index) =>
        index % 10 === 9 ? { ...life, isHeard: true } : life,
      );
      const silent = (works: boolean): { isHeard: boolean; works: boolean }[] =>
        Array.from({ length: 100 }, () => ({ isHeard: false, works }));
      // The tick after its last sign of life is the first of the silence.
      expect(verdictOf([...start, ...silent(false)])).toEqual([
        start.length + TICKS_OF_IDLE,
        'showed no sign of life and used no processor time for 1.20 s, and was killed',
      ]);
      expect(verdictOf([...start, ...silent(true)])).toEqual([
        start.length + TICKS_OF_BUSY - 1,
        'showed no sign of life for 6.00 s, and was killed',
      ]);
    }),
  );
});

test('a process of unknown processor time counts as busy', () => {
  const meter = new SilenceMeter(LIMITS, () => null);
  const verdicts = Array.from({ length: TICKS_OF_BUSY }, () => meter.tick());
  expect(verdicts.findIndex((verdict) => verdict !== null)).toBe(TICKS_OF_BUSY - 1);
});

test('a process that has not answered a ping gets no other ping', () => {
  const meter = new SilenceMeter(LIMITS, () => null);
  expect(meter.isPingDue).toBe(true);
  meter.tick();
  expect(meter.isPingDue).toBe(false);
  meter.heard();
  expect(meter.isPingDue).toBe(true);
});
