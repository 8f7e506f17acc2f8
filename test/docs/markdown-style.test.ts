import { existsSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, test } from 'vitest';
import { anchorsOf, markdownPages, proseOf, root } from './markdown.js';

/** Cards of the models, which `gess export` writes. */
const GENERATED = /^models\/[\w-]+\/README\.md$/;
const MAX_LENGTH = 120;

/** Links of a page to other files of the project and to its own headings. */
function localLinks(page: string): string[] {
  const text = proseOf(page)
    .map(({ line }) => line)
    .join('\n');
  const targets = Array.from(text.matchAll(/\]\(([^)\s]+)\)/g), ([, target]) => target!);
  return targets.filter((target) => !/^[a-z]+:/.test(target));
}

/** The fault of a dead link; null for a valid one. */
function linkProblem(page: string, link: string): string | null {
  const [path, anchor] = link.split('#') as [string, string | undefined];
  const target = path === '' ? page : normalize(join(dirname(page), path));
  if (!existsSync(join(root, target))) return `${link}: no such file`;
  if (anchor === undefined || !target.endsWith('.md')) return null;
  return anchorsOf(target).has(anchor) ? null : `${link}: no such heading`;
}

describe.each(markdownPages)('%s', (page) => {
  test('has no dead link', () => {
    expect(localLinks(page).flatMap((link) => linkProblem(page, link) ?? [])).toEqual([]);
  });

  test('has one space around the cells of tables', () => {
    const padded = proseOf(page).filter(({ line }) => /^\|.*( {2}\||\| {2}|-{4})/.test(line));
    expect(padded).toEqual([]);
  });

  test(`has lines of at most ${MAX_LENGTH} characters outside tables`, () => {
    const long = proseOf(page).filter(({ line }) => line.length > MAX_LENGTH && !line.startsWith('|'));
    expect(GENERATED.test(page) ? [] : long).toEqual([]);
  });

  test('gives each picture an alternative text', () => {
    const silent = proseOf(page).filter(({ line }) => /!\[\s*\]\(/.test(line));
    expect(silent).toEqual([]);
  });
});

test('the checks see a dead link, a heading that is gone, and a heading of another page', () => {
  expect(linkProblem('docs/security.md', 'nowhere.md')).toContain('no such file');
  expect(linkProblem('docs/security.md', '#nowhere')).toContain('no such heading');
  expect(linkProblem('docs/security.md', 'explanation/architecture.md#errors')).toBeNull();
});
