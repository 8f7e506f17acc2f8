import { readFileSync } from 'node:fs';

const { exports } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));

/** The sources of the public modules, all of whose exports are for users. */
const publicModules = Object.values(exports)
  .filter((target) => typeof target === 'object')
  .map(({ default: path }) => path.replace('./dist/', '').replace(/\.js$/, '.ts'));

/** Finds files, exports and packages that nothing uses: `npx knip`. */
export default {
  entry: [
    ...publicModules,
    'scripts/main.ts',
    'scripts/start/*.mjs',
    'examples/*.ts',
    // Main modules of processes and threads, which start them by their paths.
    'data/datasets/parquet-process.ts',
    'env/environments/vector/{process,thread}-worker.ts',
    'env/processes/parent-watch.ts',
    'scripts/benchmarks/**/*-process.ts',
    // Started by people (docs/results/).
    'scripts/benchmarks/self-play/pool-speed.ts',
    'scripts/engine/search-worker.ts',
    'training/workers/worker.ts',
    'training/workers/pool/simulation/simulated-workers.ts',
    // By the program in Python that compares environments.
    'scripts/benchmarks/peer-rates.ts',
    // By the page's build.
    // Their modules are imported when a room opens.
    'web/routing/rooms.ts',
    'web/rooms/{learn,problems}/*-list.ts',
    'web/svelte.config.js',
    'web/build/nothing.ts',
    'web/engine/engine-worker.ts',
    'web/offline/service-worker.ts',
    'web/volunteer/{volunteer-page,volunteer-worker,lane-worker}.ts',
    'web/build/virtual.d.ts',
    'test/**/*.test.ts',
    'test/**/*.mjs',
    // Has packages of its own.
    '!test/env/gess/heuristics/patterns/kernel/**',
    'test/mutation/*.config.ts',
    'test/mutation/mutation-run.ts',
    'test/web/{benchmark,picture}/*.{ts,js}',
  ],
  project: [
    '**/*.{ts,js,mjs,svelte}',
    '!site/**',
    '!python/**',
    // Has packages of its own.
    '!test/env/gess/heuristics/patterns/kernel/**',
  ],
  // Types that a signature names are exported for readers of the reference.
  ignoreExportsUsedInFile: { interface: true, type: true },
  // Beside the module when a browser measures the page.
  ignoreUnresolved: ['./ort.wasm.min.mjs'],
  ignoreDependencies: [
    // In the place of @nats-io/transport-node in the page for volunteers.
    '@nats-io/nats-core',
    // Run by their names in test/package/package-install.test.ts.
    '@arethetypeswrong/cli',
    'publint',
    // Read as files: the page's font, and the rules of accessibility that a browser runs.
    '@fontsource-variable/instrument-sans',
    'axe-core',
  ],
};
