import { join } from 'node:path';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';
import { readInput } from '../data/files/input-file.js';
import { parseJsonText } from '../env/text/json-text.js';
import { compressedFiles } from './build/compressed-files.js';
import { leftOut } from './build/left-out.js';
import { lessonFile } from './build/lesson-file.js';
import { modelFiles } from './build/model-files.js';
import { offlineFiles } from './build/offline-files.js';
import { pageSize } from './build/page-size.js';
import { preloadedFiles } from './build/preloaded-files.js';
import { publishedGame } from './build/published-game.js';

const web = import.meta.dirname;
/** The engine's worker; the page knows it by this name (page-engine.ts). */
const WORKER = 'engine-worker';
/** Replaces packages that the page does not need. */
const NOTHING = join(web, 'build', 'nothing.ts');

/** Modules of the first script, which the page and its worker begin with: small, and apart from the rules. */
const FIRST = /preload-helper|\/agents\/next-task\.ts|\/web\/routing\/route\.ts/;

/**
 * Modules that the page shares with its worker; they import the rest. If one were missing here, the worker would
 * load the board.
 */
const RULES = /\/env\/(games|random|replay\/replay)\.ts|\/(agent-error|model-list|known-spec|levels)\.ts/;

/** The modules that every room needs. */
const BOARD =
  /\/node_modules\/svelte\/|\/web\/(board|look|settings|rooms\/(game|home))\/|\/(game-link|analysis\.svelte)\.ts|\/App\.svelte|\/begin\.ts|\/session\/|published-game$/;

/** Modules that read and write SGF, without their library, which they load when needed. */
const SGF = /\/data\/records\/sgf-/;

/** Files of the build, each with the modules that match and their imports. Many small files would compress worse. */
const CHUNKS = [
  // Separate, so that its size is counted separately.
  { name: 'runtime', test: /\/node_modules\/onnxruntime-web\//, priority: 3 },
  { name: 'first', test: FIRST, priority: 3 },
  // For the page and for the worker.
  { name: 'rules', test: RULES, priority: 2 },
  // For the first room, and for all others.
  { name: 'board', test: BOARD, priority: 1 },
  // For the dialog that imports and exports games.
  { name: 'sgf', test: SGF, priority: 1 },
];

/** The service worker, at the top so that it serves the whole page. */
const SERVICE_WORKER = 'service-worker.js';

// Builds are always for users, also under a test's NODE_ENV: they contain none of Svelte's checks for developers.
process.env['NODE_ENV'] = 'production';

const manifest = await readInput(join(web, '..', 'package.json'), 'manifest');
const { version } = parseJsonText(new TextDecoder().decode(manifest)) as { readonly version: string };

export default defineConfig({
  root: web,
  define: { SOFTWARE_VERSION: JSON.stringify(version) },
  // The page works in any folder of any file server.
  base: './',
  publicDir: 'public',
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    // The policy of `gess serve` allows no `data:`.
    assetsInlineLimit: 0,
    // The worker shares files with the page, and has no document to preload them in; the page's are `preloadedFiles`.
    modulePreload: false,
    // Rooms are small.
    cssCodeSplit: false,
    rolldownOptions: {
      input: {
        page: join(web, 'index.html'),
        volunteer: join(web, 'volunteer.html'),
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
  // Workers of the laboratory and of the page for volunteers: all of the code of each in one file, without the page's
  // plugins, which remove code that they need.
  worker: { format: 'es', rolldownOptions: { output: { codeSplitting: false } } },
  // Keeps ONNX Runtime in separate files: bundled into the worker, its threads hang.
  resolve: {
    conditions: ['onnxruntime-web-use-extern-wasm', 'module', 'browser', 'production'],
    // The SGF reader uses the first two to guess the encoding of bytes; the page only has texts. NATS's library for
    // Node is the one for browsers with Node's connections.
    alias: {
      'iconv-lite': NOTHING,
      jschardet: NOTHING,
      '@nats-io/transport-node': '@nats-io/nats-core',
    },
  },
  plugins: [
    svelte({ configFile: './svelte.config.js' }),
    modelFiles(),
    publishedGame(),
    lessonFile(),
    preloadedFiles(),
    leftOut(),
    compressedFiles(),
    offlineFiles(SERVICE_WORKER),
    pageSize(),
  ],
});
