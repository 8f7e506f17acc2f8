import { gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

/** Greatest size of the page's code and libraries, compressed, in bytes. */
const MAX_CODE_BYTES = 100_000;

/** Files of code and style. */
const CODE = /\.(html|js|css)$/;
/** The laboratory's files, which are loaded when a visitor enters it, and their maximum size. */
const LABORATORY = /\/laboratory[\w-]*\.\w+$/i;
const MAX_LABORATORY_BYTES = 250_000;
/** The files of the page for volunteers, which the page neither loads nor links, and their greatest size. */
const VOLUNTEER = /(^|\/)(volunteer|lane)[\w-]*\.\w+$/;
const MAX_VOLUNTEER_BYTES = 300_000;
/** Package of the runtime of networks, whose size is not in our hands. */
const RUNTIME = '/node_modules/onnxruntime-web/';

/** A file of the page's code, and its size compressed by gzip, in bytes. */
interface BuiltFile {
  readonly fileName: string;
  readonly bytes: number;
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(2)} kB`;
}

/** Prints the size of the page's code and libraries, compressed by gzip, and fails the build if it is too large. */
export function pageSize(): Plugin {
  return {
    name: 'gess-page-size',
    apply: 'build',
    writeBundle(_options, bundle) {
      const files: BuiltFile[] = [];
      for (const [fileName, file] of Object.entries(bundle)) {
        // `vite.config.ts` puts it into a separate chunk.
        const isRuntime =
          file.type === 'chunk' &&
          file.moduleIds.length > 0 &&
          file.moduleIds.every((id) => id.includes(RUNTIME));
        if (!CODE.test(fileName) || isRuntime) continue;
        const content = file.type === 'chunk' ? file.code : file.source;
        files.push({ fileName, bytes: gzipSync(content, { level: 9 }).length });
      }
      for (const { fileName, bytes } of files) this.info(`${fileName}: ${kilobytes(bytes)}`);
      const limit = (name: string, parts: readonly BuiltFile[], most: number): void => {
        const total = parts.reduce((sum, { bytes }) => sum + bytes, 0);
        this.info(`${name}, gzip: ${kilobytes(total)} of ${kilobytes(most)}`);
        if (total > most)
          this.error(`expected at most ${kilobytes(most)} of ${name}, got ${kilobytes(total)}`);
      };
      const named = (name: RegExp): readonly BuiltFile[] =>
        files.filter(({ fileName }) => name.test(fileName));
      const apart = new Set([...named(LABORATORY), ...named(VOLUNTEER)]);
      limit(
        'code and libraries',
        files.filter((file) => !apart.has(file)),
        MAX_CODE_BYTES,
      );
      limit('laboratory', named(LABORATORY), MAX_LABORATORY_BYTES);
      limit('page for volunteers', named(VOLUNTEER), MAX_VOLUNTEER_BYTES);
    },
  };
}
