import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** The folder of the project. */
export const root = resolve(import.meta.dirname, '..', '..');

/** Every Markdown page that git tracks or would add, relative to the project. */
export const markdownPages: readonly string[] = execFileSync(
  'git',
  ['ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate', '*.md'],
  { cwd: root, encoding: 'utf8' },
)
  .trim()
  .split('\n');

/** The text of a page. */
export function readPage(page: string): string {
  return readFileSync(join(root, page), 'utf8');
}

/** A page's lines with their numbers, without those of fenced blocks. */
export function proseOf(page: string): { readonly number: number; readonly line: string }[] {
  let inBlock = false;
  return readPage(page)
    .split('\n')
    .map((line, index) => ({ number: index + 1, line }))
    .filter(({ line }) => {
      const isFence = /^\s*```/.test(line);
      if (isFence) inBlock = !inBlock;
      return !isFence && !inBlock;
    });
}

/** The anchor that code hosts and the site give to a heading. */
function anchorOf(heading: string): string {
  return heading
    .replaceAll('`', '')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_\- ]/gu, '')
    .replaceAll(' ', '-');
}

/** The anchors of a page: its headings and its `id`s. */
export function anchorsOf(page: string): ReadonlySet<string> {
  const lines = proseOf(page).map(({ line }) => line);
  const headings = lines.flatMap((line) => /^#+ (.*)$/.exec(line)?.[1] ?? []);
  const ids = lines.flatMap((line) => Array.from(line.matchAll(/ id="([^"]+)"/g), ([, id]) => id!));
  return new Set([...headings.map(anchorOf), ...ids]);
}
