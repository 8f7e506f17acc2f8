import { join } from 'node:path';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';
import { compressedFiles } from './build/compressed-files.js';
import { leftOut } from './build/left-out.js';
import { lessonFile } from './build/lesson-file.js';
import { modelFiles } from './build/model-files.js';
import { offlineFiles } from './build/offline-files.js';
import { pageSize } from './build/page-size.js';
import { publishedGame } from './build/published-game.js';

const web = import.meta.dirname;
/** The engine's worker; the page knows it by this name (page-engine.ts). */
const WORKER = 'engine-worker';
/** In place of packages that the page does not need. */
const NOTHING = join(web, 'build', 'nothing.ts');

/** Modules that the page shares with its worker; these bring the others. Without one of them, the worker loads the board. */
const RULES =
  /preload-helper|\/env\/(games|random|replay\/replay)\.ts|\/(agent-error|model-list|known-spec|levels)\.ts/;

/** The modules that every room needs. */
const BOARD =
  /\/node_modules\/svelte\/|\/web\/(board|look|game|settings|home)\/|\/(page-engine|game-link|analysis\.svelte)\.ts|\/App\.svelte|\/session\/|published-game$/;

/** Reads and writes SGF; without the library, for which it waits while it is loaded itself. */
const SGF = /\/data\/records\/sgf-/;

/** Files of the build by what they are made of, with what that imports. Many small ones would compress worse. */
const CHUNKS = [
  // Apart, so that its size is counted apart.
  { name: 'runtime', test: /\/node_modules\/onnxruntime-web\//, priority: 3 },
  // For the page and for the worker.
  { name: 'rules', test: RULES, priority: 2 },
  // For the first room, and for all others.
  { name: 'board', test: BOARD, priority: 1 },
  // For the dialog that takes a game in, and gives it out.
  { name: 'sgf', test: SGF, priority: 1 },
];

/** The service worker, at the top so that it serves the whole page. */
const SERVICE_WORKER = 'service-worker.js';

// A build is for users, also where the environment is that of a test: Svelte's checks for developers stay out.
process.env['NODE_ENV'] = 'production';

export default defineConfig({
  root: web,
  // The page works in any folder of any file server.
  base: './',
  publicDir: 'public',
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    // The policy of `gess serve` allows no `data:`.
    assetsInlineLimit: 0,
    // The worker shares files with the page, and has no document to preload them in.
    modulePreload: false,
    // Rooms are small.
    cssCodeSplit: false,
    rolldownOptions: {
      input: {
        page: join(web, 'index.html'),
        [WORKER]: join(web, 'engine', 'engine-worker.ts'),
        'service-worker': join(web, 'offline', 'service-worker.ts'),
      },
      output: {
        entryFileNames: ({ name }) => {
          if (name === 'service-worker') return SERVICE_WORKER;
          return name === WORKER ? 'assets/[name].js' : 'assets/[name]-[hash].js';
        },
        codeSplitting: { groups: CHUNKS },
      },
    },
  },
  // The laboratory's: all of its code in one file, apart from the page's, whose plugins leave out what it needs.
  worker: { format: 'es' },
  // ONNX Runtime as files of their own: bundled into the worker, its threads hang.
  resolve: {
    conditions: ['onnxruntime-web-use-extern-wasm', 'module', 'browser', 'production'],
    // The reader of SGF guesses encodings with these, of bytes only; the page has texts.
    alias: { 'iconv-lite': NOTHING, jschardet: NOTHING },
  },
  plugins: [
    svelte({ configFile: './svelte.config.js' }),
    modelFiles(),
    publishedGame(),
    lessonFile(),
    leftOut(),
    compressedFiles(),
    offlineFiles(SERVICE_WORKER),
    pageSize(),
  ],
});
