import { expect, test } from 'vitest';
import { EngineProcess } from '../../../../training/play/engines/engine-process.js';

// The test fails by its time limit, which is shorter than the sleep.
test('an engine whose background process keeps its output open is closed', async () => {
  const engine = new EngineProcess('setsid sleep 60 & cat');
  engine.send('ready');
  expect(await engine.until('ready', 10_000)).toEqual(['ready']);
  await engine.close();
  expect(engine.isRunning).toBe(false);
}, 30_000);
