import { brotliCompressSync, constants } from 'node:zlib';
import type { Plugin } from 'vite';

/** Leaves a fifth of the bytes; the best quality would save a twentieth of these, and take half a minute. */
const QUALITY = 9;

/** The runtimes in WebAssembly, and the workers of the laboratory and of the page for volunteers. */
const LARGE = /\.wasm$|\/(laboratory|lane|volunteer)-worker-[\w-]+\.js$/;

/**
 * Adds the large files to the build a second time, compressed, as `NAME.br`: the package contains these alone, and
 * `gess serve` decompresses them.
 */
export function compressedFiles(): Plugin {
  return {
    name: 'gess-compressed-files',
    apply: 'build',
    generateBundle(_options, bundle) {
      for (const asset of Object.values(bundle)) {
        if (asset.type !== 'asset' || !LARGE.test(asset.fileName)) continue;
        const bytes = Buffer.from(asset.source);
        const params = {
          [constants.BROTLI_PARAM_QUALITY]: QUALITY,
          [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
          [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
        };
        this.emitFile({
          type: 'asset',
          fileName: `${asset.fileName}.br`,
          source: brotliCompressSync(bytes, { params }),
        });
      }
    },
  };
}
