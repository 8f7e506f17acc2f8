import { WriteStream } from 'node:tty';

/** Bits of a terminal's colours; 1: none. */
export type ColorDepth = 1 | 4 | 8 | 24;

/**
 * The colour depth of a stream, by NO_COLOR, FORCE_COLOR and TERM. A pipe has colours only if FORCE_COLOR requests
 * them.
 */
export function colorDepthOf(stream: { readonly isTTY?: boolean }, env: NodeJS.ProcessEnv): ColorDepth {
  if (stream.isTTY !== true && env['FORCE_COLOR'] === undefined) return 1;
  return WriteStream.prototype.getColorDepth(env) as ColorDepth;
}
