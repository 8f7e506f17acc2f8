import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createGame } from '../../env/games.js';
import { axeFindings } from './axe-findings.js';
import { missingForPage, PageBrowser } from './open-page.js';
import { FollowedGame, startGame } from './page-moves.js';

const missing = missingForPage();

describe.skipIf(missing !== null)('the rooms of the page', () => {
  let browser: PageBrowser;
  beforeAll(async () => {
    browser = await PageBrowser.launch();
  });
  afterAll(() => browser.close());

  test.each(['light', 'dark'] as const)(
    'have no violations of axe rules, %s',
    async (colorScheme) => {
      const { page, problems } = await browser.open('', { colorScheme });
      // Only the colours differ.
      const rules = colorScheme === 'dark' ? ['color-contrast'] : [];
      for (const room of ['', 'play', 'analyse', 'learn', 'problems', 'laboratory']) {
        await page.goto(`${browser.server.address}#/${room}`);
        await page.locator('.board svg').waitFor();
        expect(await axeFindings(page, rules), room).toEqual([]);
      }
      await page.goto(`${browser.server.address}#/play`);
      await page.getByRole('button', { name: 'New' }).click();
      expect(await axeFindings(page, rules), 'new game').toEqual([]);
      expect(problems).toEqual([]);
    },
    180_000,
  );

  test('step through the published game and its comments', async () => {
    const { page, problems } = await browser.open('#/analyse');
    const next = page.getByRole('button', { name: 'Next move' });
    for (let ply = 0; ply < 5; ply++) await next.click();
    await expect.poll(() => page.locator('.comment').textContent()).toContain('A second ring, around g3');
    await page.getByRole('button', { name: 'Last move' }).click();
    await expect.poll(() => page.locator('.comment').textContent()).toContain('Mate.');
    // The variation at the illegal move.
    expect(await page.getByTitle('Variation').allTextContents()).toEqual(['c17-c8']);
    expect(problems).toEqual([]);
  });

  test('take a game from a link and from SGF', async () => {
    const { page, problems } = await browser.open('#/analyse?game=gess&rules=eureka&moves=e3-e6+p18-p15');
    await expect.poll(() => page.locator('li > .move').allTextContents()).toEqual(['e3-e6', 'p18-p15']);
    await page.goto(`${browser.server.address}#/analyse?game=gess&moves=e3-e19`);
    await expect.poll(() => page.getByRole('alert').textContent()).toContain('e3-e19 of black');
    await page.getByRole('button', { name: 'Share' }).click();
    await page
      .getByLabel(/^A game of Gess as SGF/)
      .fill(readFileSync('examples/records/eureka-53.sgf', 'utf8'));
    await page.getByRole('button', { name: 'Load' }).click();
    // The reader of SGF is loaded first.
    await page.locator('li > .move:not(.other)').nth(35).waitFor();
    expect(await page.locator('li > .move:not(.other)').count()).toBe(36);
    await page.getByRole('button', { name: 'Share' }).click();
    const game = createGame('gess');
    const position = game.formatPosition(game.initialState());
    await page.getByLabel(/^A game of Gess as SGF/).fill(position);
    await page.getByRole('button', { name: 'Load' }).click();
    await page.getByText('No moves yet.').waitFor();
    expect(problems).toEqual([]);
  });

  test('work after the server is gone', async () => {
    const own = await PageBrowser.launch();
    const { page } = await own.open();
    // Once active, the service worker has stored all files and answers the next visit.
    await page.waitForFunction('navigator.serviceWorker.ready.then(() => true)');
    await page.reload();
    await page.waitForFunction('navigator.serviceWorker.controller !== null');
    await own.server.close();
    await page.reload();
    await startGame(page, 'Gess', 3);
    const followed = new FollowedGame(page, 'gess');
    await followed.play(followed.game.parseAction('e3-e6'), 'mouse');
    await followed.follow();
    await own.close();
  });
});
