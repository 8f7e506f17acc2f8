/** Longest part of a user's text that a message quotes. */
const MAX_QUOTED_LENGTH = 200;
/** Longest message of an error. */
export const MAX_MESSAGE_LENGTH = 2000;

/** Control characters, invisible format characters such as those that reverse text, and halves of pairs. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;
const SHORT_ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };
const WORD = /\S+/g;

function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  const mark = ` … ${text.length} characters … `;
  const half = Math.floor((most - mark.length) / 2);
  return text.slice(0, half) + mark + text.slice(-half);
}

/** The JSON escape of each UTF-16 unit, such as `\u001b`. */
function escapeUnits(text: string): string {
  return Array.from(
    { length: text.length },
    (_, i) => `\\u${text.charCodeAt(i).toString(16).padStart(4, '0')}`,
  ).join('');
}

/** `text` on one line, with escapes for all characters that a terminal does not show, such as `\n` and `\u001b`. */
export function visibleText(text: string): string {
  return text.replaceAll(INVISIBLE, (found) => SHORT_ESCAPES[found] ?? escapeUnits(found));
}

/** Control characters of a text of several lines, except tabs and line ends. */
// eslint-disable-next-line no-control-regex -- it finds them
const CONTROL = /[\0-\x08\v-\x1f\x7f-\x9f]/g;
/** The same, with the sequences that only change colours as a whole. */
// eslint-disable-next-line no-control-regex -- it finds them
const CONTROL_OR_COLOUR = /\x1b\[[\d;]*m|[\0-\x08\v-\x1f\x7f-\x9f]/g;

/**
 * A text of several lines with escapes for control characters, which could move the cursor or rename the window. JSON
 * keeps its meaning.
 *
 * @param allowsColors whether sequences that only change colours are kept.
 */
export function visibleLines(text: string, allowsColors = false): string {
  return allowsColors
    ? text.replaceAll(CONTROL_OR_COLOUR, (found) => (found.length > 1 ? found : escapeUnits(found)))
    : text.replaceAll(CONTROL, escapeUnits);
}

/** A user's text for a message: visible, cut in the middle to `MAX_QUOTED_LENGTH` characters. */
export function shorten(text: string): string {
  // Cut first: the text may have millions of characters.
  return cut(visibleText(cut(text, MAX_QUOTED_LENGTH)), MAX_QUOTED_LENGTH);
}

/** `shorten` in quotes. */
export function quote(text: string): string {
  return `'${shorten(text)}'`;
}

function cutMessage(message: string): string {
  return cut(
    message.replaceAll(WORD, (word) => cut(word, MAX_QUOTED_LENGTH)),
    MAX_MESSAGE_LENGTH,
  );
}

/**
 * A message on one line, visible, with at most `MAX_MESSAGE_LENGTH` characters; words of more than
 * `MAX_QUOTED_LENGTH`, which are quoted texts such as paths, are cut in the middle.
 */
export function cleanMessage(message: string): string {
  // Once before the escapes, for speed, and once after them, which are longer than what they replace.
  return cutMessage(visibleText(cutMessage(message)));
}
