import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { chromium } from 'playwright-core';
import { pageFolder, type PageFiles, readPage } from '../../scripts/serve/page-files.js';
import { type PageServer, servePage } from '../../scripts/serve/page-server.js';

/** Path at which Debian installs Chromium. */
export const CHROMIUM = '/usr/bin/chromium';

/** Why the page cannot be served here; null if it can. */
export function missingToServe(): string | null {
  return existsSync(join(pageFolder(), 'index.html')) ? null : 'no web/dist (npm run build:web)';
}

/** Why the page cannot be tested here; null if it can. */
export function missingForPage(): string | null {
  return existsSync(CHROMIUM) ? missingToServe() : `no ${CHROMIUM} (apt-get install chromium)`;
}

/** The served page in a browser, and everything that went wrong in it. */
export interface OpenedPage {
  readonly page: Page;
  /** Errors of the console and requests to other origins; tests expect none. */
  readonly problems: readonly string[];
}

/** A server of the page and a browser. */
export class PageBrowser {
  readonly server: PageServer;
  readonly browser: Browser;

  private constructor(server: PageServer, browser: Browser) {
    this.server = server;
    this.browser = browser;
  }

  /**
   * @param others further files to serve, by their paths.
   * @param pool `ws://HOST:PORT` that pages may connect to.
   */
  static async launch(others: PageFiles = new Map(), pool: string | null = null): Promise<PageBrowser> {
    const files = new Map([...(await readPage(pageFolder())), ...others]);
    const server = await servePage(files, { host: '127.0.0.1', port: 0, pool });
    // Containers do not allow Chromium's own sandbox.
    const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
    return new PageBrowser(server, browser);
  }

  /** Opens the page, by default without motion and without stored data. */
  async open(path = '', options: BrowserContextOptions = {}): Promise<OpenedPage> {
    const context = await this.browser.newContext({
      viewport: { width: 1280, height: 800 },
      reducedMotion: 'reduce',
      ...options,
    });
    const page = await context.newPage();
    page.setDefaultTimeout(30_000);
    const problems: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') problems.push(message.text());
    });
    page.on('pageerror', (error) => problems.push(error.message));
    context.on('request', (request) => {
      const url = request.url();
      if (!url.startsWith(this.server.address) && !url.startsWith('blob:'))
        problems.push(`request to ${url}`);
    });
    await page.goto(this.server.address + path);
    return { page, problems };
  }

  async close(): Promise<void> {
    await this.browser.close();
    await this.server.close();
  }
}
