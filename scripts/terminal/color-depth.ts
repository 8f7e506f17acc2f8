import { WriteStream } from 'node:tty';

/** Bits of a terminal's colours; 1: none. */
export type ColorDepth = 1 | 4 | 8 | 24;

/**
 * The colour depth of a stream, by FORCE_COLOR, NO_COLOR and TERM, the first of these that decides; an empty value
 * counts as none. A pipe has colours only if FORCE_COLOR requests them.
 */
export function colorDepthOf(stream: { readonly isTTY?: boolean }, env: NodeJS.ProcessEnv): ColorDepth {
  const { FORCE_COLOR: forced, NO_COLOR: refused, ...others } = env;
  const isForced = forced !== undefined && forced !== '';
  if (stream.isTTY !== true && !isForced) return 1;
  // Node warns on stderr if both are set.
  const wish = isForced ? { FORCE_COLOR: forced } : { NO_COLOR: refused === '' ? undefined : refused };
  return WriteStream.prototype.getColorDepth({ ...others, ...wish }) as ColorDepth;
}
