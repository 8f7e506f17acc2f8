import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the project, whose Markdown pages are those of the site. */
export const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

/** A copy of the pages and their pictures: Vite finds its packages only from files below this folder. */
const copies = join(root, 'site', 'pages');

/** Copies what the site shows; `npm run docs` shows later changes after a restart. */
export function copyPages() {
  const patterns = ['*.md', 'docs/*.svg', 'docs/*.png', 'models/*.svg', ':!site', ':!test'];
  const flags = ['--cached', '--others', '--exclude-standard', '--deduplicate'];
  const list = execFileSync('git', ['ls-files', ...flags, ...patterns], { cwd: root, encoding: 'utf8' });
  rmSync(copies, { recursive: true, force: true });
  // The list includes deleted files until the deletion is staged.
  const names = list
    .trim()
    .split('\n')
    .filter((name) => existsSync(join(root, name)));
  for (const name of names) cpSync(join(root, name), join(copies, name));
}

/** The place of a page in the site: the README is its home, and docs/ its root. */
export function placeOf(page) {
  if (page === 'README.md') return 'index.md';
  if (page === 'docs/README.md') return 'documents.md';
  return page.replace(/^docs\//, '').replace(/README\.md$/, 'index.md');
}

/** The anchor of a heading, as code hosts generate it. */
export function anchorOf(heading) {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_\- ]/gu, '')
    .replaceAll(' ', '-');
}

function titleOf(page) {
  return /^# (.*)$/m.exec(readFileSync(join(root, page), 'utf8'))[1];
}

function entryOf(page) {
  return { text: titleOf(page), link: `/${placeOf(page).replace(/(index)?\.md$/, '')}` };
}

/** The entries of a folder: first the pages named, then the others by name. */
function entriesOf(folder, first = []) {
  const names = readdirSync(join(root, folder)).filter(
    (name) => name.endsWith('.md') && name !== 'README.md',
  );
  const known = first.filter((name) => names.includes(name));
  const others = names.filter((name) => !first.includes(name)).sort();
  return [...known, ...others].map((name) => entryOf(`${folder}/${name}`));
}

function groupOf(text, items) {
  return { text, collapsed: true, items };
}

/** The navigation beside each page: the documents by need. */
export function sidebar() {
  const tutorials = ['first-run.md', 'play-and-analyse.md', 'train-quess.md', 'your-own-game.md'];
  const models = ['models', 'models/gess', 'models/quess', 'models/connect-four'];
  const others = [
    'docs/troubleshooting.md',
    'docs/glossary.md',
    'docs/security.md',
    'CHANGELOG.md',
    'CONTRIBUTING.md',
  ];
  return [
    { text: 'Start', items: ['README.md', 'docs/README.md'].map(entryOf) },
    { text: 'Tutorials', items: entriesOf('docs/tutorials', tutorials) },
    groupOf('How to', entriesOf('docs/how-to')),
    groupOf('Reference', [
      ...entriesOf('docs/reference', [
        'commands.md',
        'json-output.md',
        'settings.md',
        'metrics.md',
        'formats.md',
      ]),
      groupOf('Environments', entriesOf('docs/reference/envs')),
      groupOf(
        'Models',
        models.map((folder) => entryOf(`${folder}/README.md`)),
      ),
    ]),
    groupOf('Explanation', [
      ...entriesOf('docs/explanation', ['architecture.md']),
      groupOf('Decisions', entriesOf('docs/explanation/decisions')),
    ]),
    groupOf('Results', entriesOf('docs/results', ['benchmarks.md', 'runs.md'])),
    { text: 'More', items: others.filter((page) => existsSync(join(root, page))).map(entryOf) },
  ];
}

/** The place of a link's target in the site; null for a file of the project that is not a page of the site. */
function targetOf(page, path) {
  const found = posix.normalize(posix.join(posix.dirname(page), path)).replace(/\/$/, '');
  if (found.endsWith('.md')) return placeOf(found);
  if (existsSync(join(root, found, 'README.md'))) return placeOf(`${found}/README.md`);
  return found.endsWith('.html') ? found.replace(/^docs\//, '') : null;
}

/** Rewrites the links of a page from paths in the project to paths in the site. */
export function siteLinks(md) {
  md.core.ruler.push('site-links', ({ tokens, env }) => {
    const page = env.realPath ?? env.path;
    const name = posix.relative(copies, page);
    for (const block of tokens) {
      // The highlighter does not know diagrams of Gess.
      if (block.type === 'fence') block.info = block.info.replace(/^gess\b/, 'txt');
      const { children } = block;
      let isText = false;
      for (const token of children ?? []) {
        if (token.type === 'link_close' && isText) Object.assign(token, { type: 'text', content: '' });
        if (token.type !== 'link_open') continue;
        const [path, anchor] = token.attrGet('href').split('#');
        isText = false;
        if (path === '' || /^[a-z]+:/.test(path)) continue;
        const target = targetOf(name, decodeURI(path));
        isText = target === null;
        if (isText) Object.assign(token, { type: 'text', content: '', attrs: null });
        else token.attrSet('href', `/${target}${anchor === undefined ? '' : `#${anchor}`}`);
      }
    }
  });
}
