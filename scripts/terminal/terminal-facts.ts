import type { ReadStream, WriteStream } from 'node:tty';
import { type ColorDepth, colorDepthOf } from './color-depth.js';
import { isMovable } from './movable-terminal.js';

/** The abilities of a terminal. */
export interface TerminalFacts {
  readonly depth: ColorDepth;
  /** Whether it shows more than ASCII. */
  readonly isUnicode: boolean;
}

/** Whether a terminal shows more than ASCII, by its locale. */
export function isUnicodeLocale(env: NodeJS.ProcessEnv): boolean {
  // Terminals of Windows set no locale; those that set this variable show Unicode.
  if (env['WT_SESSION'] !== undefined) return true;
  // An empty variable counts as absent (POSIX, "Environment Variables").
  const locale = [env['LC_ALL'], env['LC_CTYPE'], env['LANG']].find(
    (text) => text !== undefined && text !== '',
  );
  return env['TERM'] !== 'linux' && /utf-?8/i.test(locale ?? '');
}

/** The abilities of a stream. */
export function factsOf(
  stream: { readonly isTTY?: boolean },
  env: NodeJS.ProcessEnv,
  isAscii: boolean,
): TerminalFacts {
  return { depth: colorDepthOf(stream, env), isUnicode: !isAscii && isUnicodeLocale(env) };
}

/** Whether the streams are a terminal whose cursor can be moved. */
export function isScreen(
  { input, output }: { readonly input: ReadStream; readonly output: WriteStream },
  env: NodeJS.ProcessEnv,
): boolean {
  return input.isTTY && isMovable(output, env);
}
