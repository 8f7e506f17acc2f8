import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { axeFindings } from '../axe-findings.js';
import { missingForPage, PageBrowser } from '../open-page.js';

const missing = missingForPage();
/** Whether to learn to the end, which takes minutes on two cores. */
const isWhole = process.env['LABORATORY'] === '1';
/** Time for some generations on a busy machine. */
const PATIENCE_MS = 900_000;

/** Share of the points against `random` of the newest judged generation, and its number. */
async function newestScore(page: Page): Promise<{ generation: number; score: number }> {
  const news = await page.locator('.run [role="status"]').textContent();
  const [, generation, score] = /^Generation (\d+) scores (\d+) %/.exec(news ?? '') ?? [];
  return { generation: Number(generation ?? -1), score: Number(score ?? 0) / 100 };
}

async function startLearning(browser: PageBrowser): Promise<{ page: Page; problems: readonly string[] }> {
  const opened = await browser.open('#/laboratory');
  await opened.page.getByRole('button', { name: 'Start learning' }).click();
  return opened;
}

describe.skipIf(missing !== null)('the laboratory', () => {
  let browser: PageBrowser;
  beforeAll(async () => {
    browser = await PageBrowser.launch();
  });
  afterAll(() => browser.close());

  test(
    'learns a generation, plays while it is paused, and continues while another room is open',
    async () => {
      const { page, problems } = await startLearning(browser);
      const generation = async (): Promise<number> => (await newestScore(page)).generation;
      await expect.poll(generation, { timeout: PATIENCE_MS }).toBeGreaterThanOrEqual(1);
      expect(await axeFindings(page)).toEqual([]);

      await page.getByRole('button', { name: 'Pause' }).click();
      const activity = page.locator('.activity');
      await expect.poll(() => activity.textContent()).toContain('Paused');
      await page.getByRole('button', { name: 'Play against generation 0' }).click();
      await page.locator('[data-square="3"]').click();
      const held = await activity.textContent();
      // The answer comes from the other worker, after at least one of the learner's batches would have.
      await expect
        .poll(() => page.locator('.game .turn').textContent(), { timeout: PATIENCE_MS })
        .toBe('Your move, Red.');
      expect(await page.getByRole('gridcell', { name: /stone/ }).count()).toBe(2);
      expect(await activity.textContent()).toBe(held);

      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByRole('link', { name: 'Learn', exact: true }).click();
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.getByRole('link', { name: 'Lab' }).click();
      await expect.poll(() => activity.textContent(), { timeout: PATIENCE_MS }).not.toBe(held);
      await page.getByRole('button', { name: 'Start over' }).click();
      // It was learning from a later generation before.
      await expect.poll(() => activity.textContent()).toMatch(/Loading|Generation 1 /);
      expect(problems).toEqual([]);
    },
    PATIENCE_MS,
  );

  test.skipIf(!isWhole)(
    'its network alone scores 95 % against random; prints how many seconds that took',
    async () => {
      const { page, problems } = await startLearning(browser);
      await expect
        .poll(async () => (await newestScore(page)).score, { timeout: PATIENCE_MS, interval: 250 })
        .toBeGreaterThanOrEqual(0.95);
      const { generation, score } = await newestScore(page);
      const time = await page.locator('.activity .time').textContent();
      const rows = await page.locator('.generations tbody tr').allInnerTexts();
      console.log(`laboratory: generation ${generation} scores ${score} after ${time!}\n${rows.join('\n')}`);
      expect(problems).toEqual([]);
    },
    PATIENCE_MS,
  );
});
