import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isLong } from '../long-tests.js';
import { createAgent } from '../../agents/create-agent.js';
import { createRng } from '../../env/random.js';
import { readModelFile } from '../../training/export/model-file.js';
import { readPageModel } from '../../training/export/page/page-model.js';
import { openOnnxModel } from '../../training/inference/onnx-session.js';
import { levelsOf, MODEL } from '../../session/levels.js';
import { createTable } from '../../web/board/rules/tables.js';
import { legalActions } from '../../web/board/rules/board-rules.js';
import { type Entry, FollowedGame, startGame } from './page-moves.js';
import { missingForPage, PageBrowser } from './open-page.js';

const missing = missingForPage();
if (missing !== null) console.log(`tests of the page skipped: ${missing}`);

/** Index of the network's level of 32 simulations. */
const CLUB = levelsOf('network').findIndex(({ name }) => name === 'Club');

/** The game's name on the page, its id and rules, and how moves are entered. */
type WholeGame = readonly [name: string, id: string, rules: string, entry: Entry];

describe.skipIf(missing !== null)('the page', () => {
  let browser: PageBrowser;
  beforeAll(async () => {
    browser = await PageBrowser.launch();
  });
  afterAll(() => browser.close());

  const wholeGames: readonly WholeGame[] = [
    ['Four', 'connect-four', 'standard', 'mouse'],
    ['Quess', 'quess', 'standard', 'keyboard'],
    ['Quess', 'quess', 'standard', 'touch'],
  ];
  const longGames: readonly WholeGame[] = [
    ['Gess', 'gess', 'eureka', 'mouse'],
    ['Gess', 'gess', 'eureka', 'touch'],
    ['Gess', 'gess', 'eureka', 'keyboard'],
    ['Gach', 'gess', 'gach', 'mouse'],
    ['Gach', 'gess', 'gach', 'touch'],
    ['Gach', 'gess', 'gach', 'keyboard'],
    ['Four', 'connect-four', 'standard', 'touch'],
    ['Four', 'connect-four', 'standard', 'keyboard'],
    ['Quess', 'quess', 'standard', 'mouse'],
  ];

  test.each([...wholeGames, ...(isLong ? longGames : [])])(
    'plays a whole game of %s (%s, %s) by %s',
    async (name, id, rules, entry) => {
      const isTouch = entry === 'touch';
      const small = { viewport: { width: 390, height: 844 }, hasTouch: true };
      const { page, problems } = await browser.open('', isTouch ? small : {});
      // Random moves of a weak network can prolong a game of Gess to hundreds of plies.
      await startGame(page, name, id === 'gess' ? 1 : 2);
      const followed = new FollowedGame(page, id, rules);
      const { game, state } = followed;
      const agent = await createAgent('alphabeta:depth=2', game);
      while (game.countLegalActions(state) > 0) {
        const [choice] = await agent.chooseAll([{ state, rng: createRng(1) }]);
        await followed.play(choice!.action, entry);
        if (game.countLegalActions(state) > 0) await followed.follow();
      }
      const end = game.outcome(state) === 0 ? 'drawn' : 'wins';
      await expect.poll(() => page.locator('.now').textContent()).toContain(end);
      expect(problems).toEqual([]);
      await page.context().close();
    },
    240_000,
  );

  test('plays Gach by its own rules', async () => {
    const { page, problems } = await browser.open();
    await startGame(page, 'Gach', CLUB);
    const followed = new FollowedGame(page, 'gess', 'gach');
    const { game, state } = followed;
    for (const entry of ['mouse', 'keyboard', 'text'] as const) {
      const [action] = legalActions(game, state);
      await followed.play(action!, entry);
      await followed.follow();
    }
    // No network was trained on these rules.
    expect(await page.locator('.name').allTextContents()).toContainEqual(
      expect.stringMatching(/^Alpha-beta/),
    );
    expect(problems).toEqual([]);
  });

  test('opens on the game that an address names, as `gess serve --model` prints it', async () => {
    const { page, problems } = await browser.open('#/play?game=connect-four&rules=standard');
    const followed = new FollowedGame(page, 'connect-four');
    await followed.play(3, 'mouse');
    await followed.follow();
    expect(await page.locator('.name').allTextContents()).toContain('Network · Friendly');
    expect(problems).toEqual([]);
  });

  test('opens on the first game if an address names unknown rules, and says why', async () => {
    const { page, problems } = await browser.open('#/play?game=gess&rules=nonsense');
    await expect.poll(() => page.getByRole('alert').textContent()).toContain("got 'nonsense'");
    const followed = new FollowedGame(page, 'gess');
    await followed.play(followed.game.parseAction('e3-e6'), 'mouse');
    expect(problems).toEqual([]);
  });

  test('enlarges small squares for a finger, and plays what is tapped and confirmed', async () => {
    const { page, problems } = await browser.open('', {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
    });
    await startGame(page, 'Gess', 0, 'Two people');
    const followed = new FollowedGame(page, 'gess');
    const { game } = followed;
    const whole = page.getByRole('button', { name: 'Show the whole board' });
    const cell = page.locator('[data-square="44"]');
    const width = async (): Promise<number> => (await cell.boundingBox())!.width;
    expect(await width()).toBeLessThan(24);
    await cell.tap();
    await expect.poll(width).toBeGreaterThanOrEqual(24);
    expect(await followed.destinations()).toEqual([]);
    await whole.tap();
    await expect.poll(width).toBeLessThan(24);
    for (const text of ['e3-e6', 'p18-p15']) await followed.play(game.parseAction(text), 'touch');
    expect(await whole.count()).toBe(0);
    expect(problems).toEqual([]);
  });

  test('runs the clocks of Quess, and ends the game when one has run out', async () => {
    const { page, problems } = await browser.open();
    await page.getByRole('button', { name: 'Play', exact: true }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Quess', { exact: true }).click();
    await dialog.getByText('Two people', { exact: true }).click();
    await dialog.getByText('Rules and position').click();
    await dialog.getByLabel(/^Clock/).fill('2');
    await dialog.getByRole('button', { name: 'Start' }).click();
    await page.locator('.now', { hasText: 'Light ran out of time' }).waitFor();
    expect(problems).toEqual([]);
  });

  test('shows the destinations that the rules allow', async () => {
    const { page, problems } = await browser.open();
    await startGame(page, 'Gess', 0, 'Two people');
    const followed = new FollowedGame(page, 'gess');
    const { game, state } = followed;
    const { board } = createTable('gess');
    for (const text of ['e3-e6', 'p18-p15', 'b3-e3']) {
      await followed.play(game.parseAction(text), 'text');
    }
    const actions = legalActions(game, state);
    const starts = [...new Set(actions.map((action) => board.startOf(action)!))];
    for (const start of starts.filter((_, index) => index % 9 === 0)) {
      await page.keyboard.press('Escape');
      await followed.enter(start, 'mouse');
      const expected = actions.filter((action) => board.startOf(action) === start);
      const ends = expected.map((action) => board.endOf(state, action)).sort((one, other) => one - other);
      expect(await followed.destinations()).toEqual(ends);
      await followed.enter(start, 'mouse');
      expect(await followed.destinations()).toEqual([]);
    }
    expect(problems).toEqual([]);
  });

  test("plays the moves that Node's search plays with as many simulations", async () => {
    const { page, problems } = await browser.open();
    await startGame(page, 'Gess', CLUB);
    const followed = new FollowedGame(page, 'gess');
    const { game } = followed;
    const { model } = await readPageModel('models/gess');
    const bytes = await readModelFile('models/gess/model-legal-int8.onnx', game);
    const text = levelsOf('network')[CLUB]!.agent.replace(MODEL, model.file);
    const agent = await createAgent(text, game, async () => {
      const session = await openOnnxModel(bytes);
      const { source, inputs, outputs } = session;
      return {
        ...{ source, inputs, outputs, playOptions: model.play },
        run: (tensors) => session.run(tensors),
        dispose: () => session.dispose(),
      };
    });
    const person = await createAgent('greedy', game);
    for (let turn = 0; turn < 3; turn++) {
      const [own] = await person.chooseAll([{ state: followed.state, rng: createRng(turn) }]);
      await followed.play(own!.action, 'text');
      const before = game.clone(followed.state);
      const played = await followed.follow();
      const [choice] = await agent.chooseAll([{ state: before, rng: createRng(1) }]);
      expect(game.formatAction(played)).toBe(game.formatAction(choice!.action));
    }
    await agent.dispose();
    expect(problems).toEqual([]);
  });
});
