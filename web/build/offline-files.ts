import { readdir, writeFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { Plugin } from 'vite';
import { readInput } from '../../data/files/input-file.js';
import { sha256 } from '../../data/files/sealed-json.js';

/** Files that the page needs, by the endings of their names. */
const KEPT = /\.(html|js|mjs|css|svg|png|woff2|wasm|onnx|json|webmanifest)$/;
/** Files of the page for volunteers, which needs a server. */
const NOT_KEPT = /^(volunteer|lane)[\w-]*\./;
/** Digits of a checksum; they detect new builds, not attacks. */
const DIGITS = 16;

/** The files of a built page, with their checksums, by their paths. */
async function checksumsOf(folder: string): Promise<Readonly<Record<string, string>>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter(
    (entry) => entry.isFile() && KEPT.test(entry.name) && !NOT_KEPT.test(entry.name),
  );
  const pairs = await Promise.all(
    files.map(async ({ parentPath, name }) => {
      const file = join(parentPath, name);
      const checksum = sha256(await readInput(file, 'pageFile')).slice(0, DIGITS);
      return [relative(folder, file).split(sep).join('/'), checksum] as const;
    }),
  );
  return Object.fromEntries(pairs.sort(([one], [other]) => (one < other ? -1 : 1)));
}

/**
 * Tells the service worker which files the page consists of: it keeps them all, so that the page works without a
 * server.
 *
 * @param script path of the service worker in the build.
 */
export function offlineFiles(script: string): Plugin {
  return {
    name: 'gess-offline-files',
    apply: 'build',
    async writeBundle({ dir }) {
      const { [script]: own, ...files } = await checksumsOf(dir!);
      if (own === undefined) throw new Error(`expected ${script} in the build`);
      const text = Buffer.from(await readInput(join(dir!, script), 'pageFile')).toString();
      await writeFile(join(dir!, script), `const PAGE_FILES=${JSON.stringify(files)};\n${text}`);
    },
  };
}
