import { afterEach, expect, test } from 'vitest';
import { listenForStop, type StopSignal } from '../../../scripts/stopping/stop-signal.js';
import { captureOutput } from '../captured-output.js';

const before = process.exitCode;
let stop: StopSignal | undefined;

afterEach(() => {
  stop?.dispose();
  process.exitCode = before;
});

/** Listens, and returns a function that calls the listener as a SIGTERM would. */
function listen(): { readonly stop: StopSignal; readonly terminate: () => void } {
  stop = listenForStop(captureOutput(), { hint: '', action: 'finishing' });
  const listener = process.listeners('SIGTERM').at(-1)!;
  return {
    stop,
    terminate: () => {
      listener('SIGTERM');
    },
  };
}

test('a stopped command exits with the number of the signal', () => {
  const listening = listen();
  listening.terminate();
  expect(listening.stop.signal.aborted).toBe(true);
  expect(process.exitCode).toBe(143);
});

test('a command that has done its work exits with 0, whenever the signal came', () => {
  const early = listen();
  early.terminate();
  early.stop.done();
  expect(process.exitCode).toBe(0);
  early.stop.dispose();
  process.exitCode = before;
  const late = listen();
  late.stop.done();
  late.terminate();
  expect(process.exitCode).toBe(before);
});
