import { contentDigest } from '../../../../data/files/content-digest.js';
import { TrainingError } from '../../../training-error.js';
import { JetStreamApiError, type JetStreamClient, type JetStreamManager } from './nats-library.js';
import type { ContentRef } from './pool-messages.js';
import { WRONG_LAST_SEQUENCE } from './server-errors.js';

/** Bytes of a part, below the default maximum message size of servers. */
const PART_BYTES = 2 ** 19;

/** Maximum number of parts in transit at once. */
const PARTS_AT_ONCE = 4;

function partsOf({ bytes }: Pick<ContentRef, 'bytes'>): number {
  return Math.max(1, Math.ceil(bytes / PART_BYTES));
}

/** Calls `each` for the numbers below `end`, a few at once. */
async function forParts(end: number, each: (part: number) => Promise<void>): Promise<void> {
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < end) await each(next++);
  };
  await Promise.all(Array.from({ length: PARTS_AT_ONCE }, lane));
}

/** The reference of content. */
export async function refOf(content: Uint8Array): Promise<ContentRef> {
  return { sha256: await contentDigest(content), bytes: content.length };
}

/**
 * Writes content to a stream, in parts; existing parts are kept.
 *
 * @param subjectOf the subject of a part, by its number.
 * @throws errors of the server.
 */
export async function putContent(
  js: JetStreamClient,
  content: Uint8Array,
  subjectOf: (part: number) => string,
): Promise<void> {
  await forParts(partsOf({ bytes: content.length }), async (part) => {
    const bytes = content.subarray(part * PART_BYTES, (part + 1) * PART_BYTES);
    try {
      await js.publish(subjectOf(part), bytes, { expect: { lastSubjectSequence: 0 } });
    } catch (error) {
      if (!(error instanceof JetStreamApiError && error.code === WRONG_LAST_SEQUENCE)) throw error;
    }
  });
}

/**
 * Reads content from a stream, and checks its size and digest.
 *
 * @param ref reference of the content, whose size the caller has checked.
 * @throws TrainingError `pool-content` if a part is missing or the digest differs; errors of the server.
 */
export async function getContent(
  jsm: JetStreamManager,
  stream: string,
  ref: ContentRef,
  subjectOf: (part: number) => string,
): Promise<Uint8Array> {
  const content = new Uint8Array(ref.bytes);
  await forParts(partsOf(ref), async (part) => {
    const subject = subjectOf(part);
    const expected = Math.min(PART_BYTES, ref.bytes - part * PART_BYTES);
    const message = await jsm.direct.getMessage(stream, { last_by_subj: subject });
    if (message?.data.length !== expected) {
      const found = message === null ? 'nothing' : `${message.data.length} bytes`;
      throw new TrainingError('pool-content', `expected ${expected} bytes at ${subject}, found ${found}`);
    }
    content.set(message.data, part * PART_BYTES);
  });
  const found = await contentDigest(content);
  if (found === ref.sha256) return content;
  throw new TrainingError('pool-content', `expected content of SHA-256 ${ref.sha256}, found ${found}`);
}
