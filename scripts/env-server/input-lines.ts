/** Takes the place of a line that is too long, which is skipped and not stored. */
export const OVERLONG = Symbol('overlong');

/**
 * The lines of a UTF-8 stream without their line ends; the last line needs none.
 *
 * @param maxBytes a longer line yields `OVERLONG`, once.
 */
export async function* inputLines(
  stream: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<string | typeof OVERLONG> {
  let parts: Uint8Array[] = [];
  let size = 0;
  const take = (): string | typeof OVERLONG => {
    const line = size > maxBytes ? OVERLONG : Buffer.concat(parts).toString('utf8').replace(/\r$/, '');
    parts = [];
    size = 0;
    return line;
  };
  for await (const chunk of stream) {
    let from = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      parts.push(chunk.subarray(from, end));
      size += end - from;
      from = end + 1;
      yield take();
    }
    parts.push(chunk.subarray(from));
    size += chunk.length - from;
    if (size > maxBytes) parts = [];
  }
  if (size > 0) yield take();
}
