import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { agentsPage } from './pages/agents-page.js';
import { commandsPage } from './pages/commands-page.js';
import { licencesPage } from './pages/licences-page.js';
import { settingsPage } from './pages/settings-page.js';

const root = resolve(import.meta.dirname, '..', '..');

/** Pages that `npm run docs:generate` writes. */
const PAGES: Readonly<Record<string, () => string | Promise<string>>> = {
  'docs/reference/agents.md': agentsPage,
  'docs/reference/settings.md': settingsPage,
  'docs/reference/commands.md': commandsPage,
  'docs/reference/licences.md': licencesPage,
};

test.each(Object.entries(PAGES))('%s is what npm run docs:generate writes', async (path, generate) => {
  const text = await generate();
  if (process.env['UPDATE_DOCS'] === '1') writeFileSync(join(root, path), text);
  expect(readFileSync(join(root, path), 'utf8')).toBe(text);
});
