import { readFileSync } from 'node:fs';
import type { Browser } from 'playwright-core';

/** Memory of the browser's processes of pages that no other process shares, in MB of 10^6 bytes. */
export async function pageMegabytes(browser: Browser): Promise<number> {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  const pages = processInfo.filter(({ type }) => type === 'renderer');
  return Math.max(...pages.map(({ id }) => privateBytes(id))) / 1e6;
}

function privateBytes(pid: number): number {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  const sizes = [...text.matchAll(/^Private_\w+: +(\d+) kB$/gm)].map(([, size]) => 1024 * Number(size));
  return sizes.reduce((sum, size) => sum + size, 0);
}
