import { gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

/** Greatest size of the page's code and libraries, compressed, in bytes. */
export const MAX_CODE_BYTES = 100_000;

/** Files of code and style. */
const CODE = /\.(html|js|css)$/;
/** Package of the runtime of networks, whose size is not in our hands. */
const RUNTIME = '/node_modules/onnxruntime-web/';

/** The code of a chunk without the runtime's modules. */
interface BuiltFile {
  readonly fileName: string;
  readonly bytes: number;
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} kB`;
}

/** Prints the size of the page's code and libraries, compressed by gzip, and fails the build if it is too large. */
export function pageSize(): Plugin {
  return {
    name: 'gess-page-size',
    apply: 'build',
    writeBundle(_options, bundle) {
      const files: BuiltFile[] = [];
      for (const [fileName, file] of Object.entries(bundle)) {
        // A chunk of its own, in `vite.config.ts`.
        const isRuntime =
          file.type === 'chunk' &&
          file.moduleIds.length > 0 &&
          file.moduleIds.every((id) => id.includes(RUNTIME));
        if (!CODE.test(fileName) || isRuntime) continue;
        const content = file.type === 'chunk' ? file.code : file.source;
        files.push({ fileName, bytes: gzipSync(content, { level: 9 }).length });
      }
      const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
      for (const { fileName, bytes } of files) this.info(`${fileName}: ${kilobytes(bytes)}`);
      this.info(`code and libraries, gzip: ${kilobytes(total)} of ${kilobytes(MAX_CODE_BYTES)}`);
      if (total > MAX_CODE_BYTES) {
        this.error(`expected at most ${kilobytes(MAX_CODE_BYTES)} of code, got ${kilobytes(total)}`);
      }
    },
  };
}
