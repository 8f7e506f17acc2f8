import fc from 'fast-check';
import { hostileTexts } from '../hostile-texts.js';

/** Length of a line that is longer than any accepted one. */
const ENORMOUS = 5 * 2 ** 20;

/**
 * The pieces that a client sends: sound and hostile lines, half lines, bytes that are not text, and endless lines.
 *
 * @param valid lines of the protocol.
 */
export function hostileStream(
  valid: fc.Arbitrary<string>,
  words: readonly string[],
): fc.Arbitrary<readonly Buffer[]> {
  const ends = fc.constantFrom('\n', '\n', '\n', '\r\n', '');
  const line = fc.tuple(hostileTexts(valid, words), ends).map(([text, end]) => Buffer.from(text + end));
  const bytes = fc.uint8Array({ maxLength: 80 }).map((array) => Buffer.from(array));
  const enormous = fc
    .tuple(fc.constantFrom('x', '[', '{"a":', '\0', ' '), ends)
    .map(([text, end]) => Buffer.from(text.repeat(ENORMOUS / text.length) + end));
  const piece = fc.oneof(
    { weight: 30, arbitrary: line },
    { weight: 8, arbitrary: bytes },
    { weight: 1, arbitrary: enormous },
  );
  const cut = fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: 1, freq: 3 });
  return fc.array(
    fc.tuple(piece, cut).map(([content, share]) => content.subarray(0, Math.ceil(share * content.length))),
    { minLength: 1, maxLength: 12 },
  );
}
