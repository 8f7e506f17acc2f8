import { brotliCompressSync, constants } from 'node:zlib';
import type { Plugin } from 'vite';

/** A fifth of the bytes; the best quality takes half a minute for a twentieth less. */
const QUALITY = 9;

/**
 * Adds ONNX Runtime's WebAssembly to the build a second time, compressed, as `NAME.wasm.br`: the package contains that file
 * alone, and `gess serve` decompresses it.
 */
export function compressedRuntime(): Plugin {
  return {
    name: 'gess-compressed-runtime',
    apply: 'build',
    generateBundle(_options, bundle) {
      for (const asset of Object.values(bundle)) {
        if (asset.type !== 'asset' || !asset.fileName.endsWith('.wasm')) continue;
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
