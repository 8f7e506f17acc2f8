// Bundles compiled modules into dist/start/, or another folder in dist/, so that short commands, threads that search
// and processes that play load twenty files instead of hundreds.
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { BUNDLED_COMMANDS } from './launch-choice.mjs';
import { replaceFile } from './replaced-file.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const dist = join(root, 'dist');
const out = resolve(process.argv[2] ?? join(dist, 'start'));
/** How long parts of older bundles are kept, for programs that still run from them. */
const KEPT_MS = 3600 * 1000;

/** The program, the thread that searches for `analyze`, `engine` and `play`, and a process that plays games. */
const ENTRIES = ['scripts/main.js', 'scripts/engine/search-worker.js', 'training/workers/worker.js'];

const { peerDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** Modules keep their own URL, by which they find their files and the modules of processes. */
const ownUrls = {
  name: 'own-urls',
  setup(bundler) {
    bundler.onLoad({ filter: /\.js$/ }, ({ path }) => {
      const place = relative(dist, path);
      if (place.startsWith('..')) return undefined;
      const url = `new URL(${JSON.stringify(relative(out, path))}, import.meta.url).href`;
      return { contents: readFileSync(path, 'utf8').replaceAll('import.meta.url', url) };
    });
  },
};

/** Other commands stay outside, and so do packages that users install themselves. */
const outside = {
  name: 'outside',
  setup(bundler) {
    bundler.onResolve({ filter: /-command\.js$/ }, ({ path, resolveDir }) => {
      const command = basename(path, '-command.js');
      if (BUNDLED_COMMANDS.includes(command)) return undefined;
      return { path: relative(out, resolve(resolveDir, path)), external: true };
    });
  },
};

/** Copies the licences of the bundled packages into the bundle. */
function copyLicences(inputs) {
  const packages = new Set(
    inputs.flatMap((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []),
  );
  for (const name of packages) {
    const folder = join(root, 'node_modules', name);
    const licence = readdirSync(folder).find((file) => /^licen[cs]e/i.test(file));
    if (licence === undefined) throw new Error(`expected a licence in ${folder}`);
    copyFileSync(join(folder, licence), join(out, `LICENSE-${name.replaceAll('/', '-')}.txt`));
  }
}

/** Writes the files, the entries last: a program that starts meanwhile sees either the old bundle or the new one. */
function writeParts(files) {
  const entries = new Set(ENTRIES.map((path) => basename(path)));
  const rank = ({ path }) => (entries.has(basename(path)) ? 1 : 0);
  for (const { path, contents } of [...files].sort((one, other) => rank(one) - rank(other))) {
    replaceFile(path, contents);
  }
}

function removeOldParts(kept) {
  for (const name of readdirSync(out)) {
    const path = join(out, name);
    const age = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Infinity);
    if (!kept.has(name) && age > KEPT_MS) rmSync(path, { force: true });
  }
}

const { metafile, outputFiles } = await build({
  absWorkingDir: root,
  entryPoints: ENTRIES.map((path) => join(dist, path)),
  entryNames: '[name]',
  outdir: out,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  minifyWhitespace: true,
  metafile: true,
  write: false,
  logLevel: 'warning',
  external: Object.keys(peerDependencies),
  // CommonJS packages load Node's modules with `require`.
  banner: {
    js: "import{createRequire as $createRequire}from'node:module';const require=$createRequire(import.meta.url);",
  },
  plugins: [ownUrls, outside],
});
mkdirSync(out, { recursive: true });
copyLicences(Object.keys(metafile.inputs));
writeParts(outputFiles);
removeOldParts(new Set(outputFiles.map(({ path }) => basename(path))));
