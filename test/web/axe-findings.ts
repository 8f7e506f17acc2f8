import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The violations that axe finds, by rule, with their places; only those of `rules` unless it is empty. */
export async function axeFindings(page: Page, rules: readonly string[] = []): Promise<unknown> {
  // Colours in a transition have contrasts that no user reads.
  await page.evaluate(
    'Promise.all(document.getAnimations().map(({ finished }) => finished)).then(() => null)',
  );
  // By evaluation: the page's policy allows no foreign scripts.
  await page.evaluate(axeSource);
  return page.evaluate(async (only) => {
    const { axe } = globalThis as unknown as {
      axe: { run(options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
    };
    const { violations } = await axe.run(only.length > 0 ? { runOnly: only } : {});
    return violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`,
    );
  }, rules);
}
