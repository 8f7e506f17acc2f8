import { join } from 'node:path';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';
import { VitePWA } from 'vite-plugin-pwa';
import { compressedRuntime } from './build/compressed-runtime.js';
import { modelFiles } from './build/model-files.js';
import { publishedGame } from './build/published-game.js';
import { rulesDiagrams } from './build/rules-diagrams.js';

const web = import.meta.dirname;
/** The engine's worker; the page knows it by this name (page-engine.ts). */
const WORKER = 'engine-worker';
/** In place of packages that the page does not need. */
const NOTHING = join(web, 'build', 'nothing.ts');

/** Files of the page that are kept for use without a network. */
const CACHED = '**/*.{html,js,mjs,css,svg,png,woff2,wasm,onnx,json}';
/** The runtime's WebAssembly is the largest file. */
const MAX_CACHED_BYTES = 32 * 2 ** 20;

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
    rolldownOptions: {
      input: { page: join(web, 'index.html'), [WORKER]: join(web, 'engine', 'engine-worker.ts') },
      output: {
        entryFileNames: ({ name }) => (name === WORKER ? 'assets/[name].js' : 'assets/[name]-[hash].js'),
      },
    },
  },
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
    rulesDiagrams(),
    compressedRuntime(),
    VitePWA({
      registerType: 'autoUpdate',
      injectRegister: false,
      manifest: {
        name: 'Gess',
        short_name: 'Gess',
        description: 'Chess on a Go board: play, learn, analyse.',
        start_url: './',
        display: 'standalone',
        background_color: '#f3f4f1',
        theme_color: '#f3f4f1',
        icons: [{ src: 'icon.svg', sizes: 'any', type: 'image/svg+xml', purpose: 'any' }],
      },
      workbox: {
        globPatterns: [CACHED],
        globIgnores: ['models/models.json'],
        maximumFileSizeToCacheInBytes: MAX_CACHED_BYTES,
        // `gess serve --model` offers other models than the page was built with.
        runtimeCaching: [
          {
            urlPattern: ({ url }) => url.pathname.includes('/models/'),
            handler: 'NetworkFirst',
            options: { cacheName: 'models' },
          },
        ],
      },
    }),
  ],
});
