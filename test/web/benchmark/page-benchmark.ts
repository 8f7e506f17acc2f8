import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PageFiles } from '../../../scripts/serve/page-files.js';
import { createGame } from '../../../env/games.js';
import { readModelFile } from '../../../training/export/model-file.js';
import type { ListedModel } from '../../../web/engine/model-list.js';
import { missingForPage, PageBrowser } from '../open-page.js';
import { pageMegabytes } from './page-processes.js';
import { recordInputs } from './recorded-inputs.js';

/** Positions of a call, as in the page's stronger levels. */
const LEAVES = 8;
/** Evaluations of a timed search, and time of the bare session. */
const NODES = 400;
const MEASURE_MS = 1500;
/** Number of rounds, in which both take turns, since the machine may be busy. The medians count. */
const ROUNDS = 5;

/** The limits that the page keeps (docs/reference/web.md). */
const LEAST_SHARE = 0.8;
const MOST_STOP_MS = 100;
const MOST_FIRST_MOVE_MS = 1000;
const MOST_MEGABYTES = 300;

const runtime = dirname(createRequire(import.meta.url).resolve('onnxruntime-web/wasm'));

function extraFile(name: string, type: string, folder = runtime): PageFiles {
  return new Map([[`/bench/${name}`, { type, isImmutable: false, bytes: readFileSync(join(folder, name)) }]]);
}

function report(what: string, figure: string): void {
  console.log(`${what}: ${figure}`);
}

function median(numbers: readonly number[]): number {
  return [...numbers].sort((one, other) => one - other)[numbers.length >> 1]!;
}

let browser: PageBrowser;
let model: string;
beforeAll(async () => {
  const missing = missingForPage();
  if (missing !== null) throw new Error(missing);
  browser = await PageBrowser.launch(
    new Map([
      ...extraFile('bare-session.js', 'text/javascript', import.meta.dirname),
      ...extraFile('page-measurements.js', 'text/javascript', import.meta.dirname),
      ...extraFile('ort.wasm.min.mjs', 'text/javascript'),
      ...extraFile('ort-wasm-simd-threaded.mjs', 'text/javascript'),
      ...extraFile('ort-wasm-simd-threaded.wasm', 'application/wasm'),
    ]),
  );
  const list = await fetch(`${browser.server.address}models/models.json`);
  const { models } = (await list.json()) as { models: readonly ListedModel[] };
  model = models.find(({ game }) => game === 'gess')!.file;
});
afterAll(() => browser.close());

/** Calls a function of page-measurements.js in the page. */
function measure<T>(page: Page, name: string, argument: object = {}): Promise<T> {
  const module = `${browser.server.address}bench/page-measurements.js`;
  return page.evaluate<T>(
    `import(${JSON.stringify(module)}).then((measurements) => measurements.${name}(${JSON.stringify(argument)}))`,
  );
}

/** Time of the page's engine for `NODES` evaluations, and for its answer to "stop", in ms. */
function measureEngine(page: Page, file: string): Promise<{ search: number; stop: number }> {
  const game = createGame('gess');
  const start = game.formatPosition(game.initialState());
  const line = { game: game.id, rules: game.rules, start, actions: [], seconds: [] };
  // One run of the network per position, as in the bare session.
  const agent = `mcts:model=${file},leaves=${LEAVES},symmetries=1`;
  return measure(page, 'measureEngine', { line, agent, nodes: NODES });
}

/** Evaluations a second of the runtime alone, on the positions of a search. */
async function measureBare(page: Page, file: string): Promise<number> {
  const bytes = await readModelFile('models/gess/model-legal-int8.onnx', createGame('gess'));
  const inputs = await recordInputs(bytes, LEAVES, 160);
  return measure(page, 'measureBare', { model: `../models/${file}`, inputs, measureMs: MEASURE_MS });
}

test('the search has most of the speed of the runtime alone, and hears "stop"', async () => {
  const { page } = await browser.open();
  const rounds: { bare: number; search: number; stop: number }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const bare = await measureBare(page, model);
    const { search, stop } = await measureEngine(page, model);
    rounds.push({ bare, search: (1000 * NODES) / search, stop });
  }
  const share = median(rounds.map(({ bare, search }) => search / bare));
  const stops = rounds.map(({ stop }) => stop);
  report('evaluations/s of the runtime alone', rounds.map(({ bare }) => bare.toFixed(0)).join(', '));
  report('evaluations/s of the search', rounds.map(({ search }) => search.toFixed(0)).join(', '));
  report('share, median', share.toFixed(2));
  report('answer to "stop", ms', stops.map((stop) => stop.toFixed(0)).join(', '));
  expect(share).toBeGreaterThanOrEqual(LEAST_SHARE);
  expect(median(stops)).toBeLessThanOrEqual(MOST_STOP_MS);
  await page.context().close();
});

test('the first move follows soon after the page is loaded', async () => {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const { page } = await browser.open('#/play');
    const time = measure<number>(page, 'timeOfMoves', { count: 2 });
    const input = page.getByLabel('Type a move');
    await input.fill('e3-e6');
    await input.press('Enter');
    times.push(await time);
    await page.context().close();
  }
  report('first answer of the network after loading, ms', times.map((time) => time.toFixed(0)).join(', '));
  expect(median(times)).toBeLessThanOrEqual(MOST_FIRST_MOVE_MS);
});

test('the page needs little memory, even in a long analysis', async () => {
  const { page } = await browser.open('#/analyse');
  await page.getByText('4000 simulations').waitFor({ timeout: 120_000 });
  const megabytes = await pageMegabytes(browser.browser);
  report('memory after an analysis of 4,000 simulations, MB', megabytes.toFixed(0));
  expect(megabytes).toBeLessThanOrEqual(MOST_MEGABYTES);
  await page.context().close();
});
