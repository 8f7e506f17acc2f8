// The site of the documents: `npm run docs`. Every page is plain Markdown, readable without the site.
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitepress';
import { anchorOf, copyPages, placeOf, root, sidebar, siteLinks } from './pages.mjs';

copyPages();

/** The published game as a page of its own, which `gess analyze --html` wrote. */
const PUBLISHED_GAME = 'eureka-game.html';

export default defineConfig({
  title: 'gess-zero',
  description: 'Self-play reinforcement learning for Gess, in TypeScript',
  lang: 'en-GB',
  srcDir: './pages',
  outDir: './dist',
  rewrites: placeOf,
  cleanUrls: false,
  ignoreDeadLinks: [/^\/eureka-game/],
  markdown: {
    anchor: { slugify: anchorOf },
    config: siteLinks,
  },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    sidebar: sidebar(),
    nav: [
      { text: 'First run', link: '/tutorials/first-run' },
      { text: 'Commands', link: '/reference/commands' },
      { text: 'Settings', link: '/reference/settings' },
    ],
  },
  buildEnd: ({ outDir }) => {
    copyFileSync(join(root, 'docs', PUBLISHED_GAME), join(outDir, PUBLISHED_GAME));
  },
});
