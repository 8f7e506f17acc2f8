import type { Locator, Page } from 'playwright-core';
import type { Action, Game } from '../../env/game.js';
import { createTable } from '../../web/board/rules/tables.js';

/** How moves are entered. */
export type Entry = 'mouse' | 'touch' | 'keyboard' | 'text';

/** A game on the page, as the test follows it. */
export class FollowedGame {
  readonly game: Game<unknown>;
  readonly state: unknown;
  private readonly table: ReturnType<typeof createTable>;
  private readonly page: Page;

  constructor(page: Page, id: string, rules?: string) {
    this.page = page;
    this.table = createTable(id, rules);
    this.game = this.table.game;
    this.state = this.game.initialState();
  }

  /** Enters a legal move and waits until the page shows it. */
  async play(action: Action, entry: Entry): Promise<void> {
    const { board } = this.table;
    const start = board.startOf(action);
    const end = board.endOf(this.state, action);
    if (entry === 'text') {
      await this.page.getByLabel('Type a move').fill(this.game.formatAction(action));
      await this.page.keyboard.press('Enter');
    } else {
      for (const square of [start, end]) if (square !== null) await this.enter(square, entry);
      const confirm = this.page.locator('.confirm .primary');
      if (await confirm.isVisible()) await confirm.click();
    }
    await this.follow();
  }

  /** Waits for the next move, of either side, and plays it here too. */
  async follow(): Promise<Action> {
    const index = this.game.historyLength(this.state);
    const text = await this.page.locator('li > .move:not(.other)').nth(index).textContent();
    const action = this.game.parseAction(text!.trim());
    if (!this.game.isLegal(this.state, action)) throw new Error(`the page played ${text!}, which is illegal`);
    this.game.apply(this.state, action);
    return action;
  }

  /** Names of the squares that the page marks as destinations. */
  async destinations(): Promise<readonly number[]> {
    const cells = this.page.locator('[data-square][aria-label*="can be reached"]');
    const squares: number[] = [];
    for (const cell of await cells.all()) squares.push(Number(await cell.getAttribute('data-square')));
    return squares.sort((one, other) => one - other);
  }

  /** Clicks or taps a square, or moves the focus to it. */
  async enter(square: number, entry: Entry): Promise<void> {
    const cell = this.page.locator(`[data-square="${square}"]`);
    if (entry === 'mouse') await cell.click();
    else if (entry === 'touch') await this.tap(cell);
    else await this.walkTo(square);
  }

  /** A finger enlarges small squares first. */
  private async tap(cell: Locator): Promise<void> {
    await cell.tap();
    if ((await this.page.locator('.surface.zoomed').count()) > 0) await cell.tap();
  }

  /** Moves the focus with the arrow keys, from any square of the board. */
  private async walkTo(square: number): Promise<void> {
    const { page } = this;
    const { columns } = this.table.board;
    if ((await page.locator('[data-square]:focus').count()) === 0) {
      await page.locator('[data-square][tabindex="0"]').focus();
    }
    const from = Number(await page.locator('[data-square]:focus').getAttribute('data-square'));
    const rows = Math.floor(square / columns) - Math.floor(from / columns);
    const across = (square % columns) - (from % columns);
    for (let step = 0; step < Math.abs(rows); step++)
      await page.keyboard.press(rows > 0 ? 'ArrowUp' : 'ArrowDown');
    for (let step = 0; step < Math.abs(across); step++) {
      await page.keyboard.press(across > 0 ? 'ArrowRight' : 'ArrowLeft');
    }
    await page.keyboard.press('Enter');
  }
}

/** Starts a game in the dialog. */
export async function startGame(
  page: Page,
  game: string,
  level: number,
  opponent = 'Network',
): Promise<void> {
  await page
    .getByRole('button', { name: /^(Play|New)$/ })
    .first()
    .click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText(game, { exact: true }).click();
  await dialog.getByText(opponent, { exact: true }).click();
  if (opponent !== 'Two people') await dialog.getByRole('slider').fill(String(level));
  await dialog.getByRole('button', { name: 'Start' }).click();
}
