import { expect, test } from 'vitest';
import { missingForPage, PageBrowser } from '../open-page.js';

const PICTURE = 'docs/images/page.png';
/** The ply to show: White is to move, and the engine has several ideas. */
const PLY = 9;
/** Simulations from which on the engine's arrows change little. */
const SIMULATIONS = 1000;

test('makes the picture of the page: the published game, reviewed, with the moves that the engine would play', async () => {
  const missing = missingForPage();
  if (missing !== null) throw new Error(missing);
  const browser = await PageBrowser.launch();
  try {
    const { page, problems } = await browser.open('#/analyse', { colorScheme: 'light' });
    await page.getByRole('button', { name: 'Review' }).click();
    await page.getByRole('button', { name: 'Review' }).waitFor({ timeout: 240_000 });
    for (let ply = 0; ply < PLY; ply++) await page.getByRole('button', { name: 'Next move' }).click();
    await page.locator('h1').hover({ force: true });
    await expect
      .poll(async () => Number.parseInt((await page.locator('.effort').textContent()) ?? '', 10), {
        timeout: 60_000,
      })
      .toBeGreaterThanOrEqual(SIMULATIONS);
    await page.screenshot({ path: PICTURE });
    expect(problems).toEqual([]);
  } finally {
    await browser.close();
  }
});
