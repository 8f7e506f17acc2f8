import assert from 'node:assert/strict';
import { CodedError } from '../../env/errors.js';
import { MAX_MESSAGE_LENGTH } from '../../env/text/quoted-text.js';

// Of node:assert, not `expect`, as are all laws here: they run a million times.

/** An error class of a layer. */
type ErrorClass<Code extends string> = abstract new (...args: never[]) => CodedError<Code>;

/** Throws what is thrown on, unless it is an error of bad input with a message for people. */
export function checkRefusal(error: unknown): asserts error is CodedError {
  if (!(error instanceof CodedError)) throw error;
  assert.match(String(error.code), /^[a-z]+(-[a-z]+)*$/);
  assert.ok(error.message.length > 10, `a message of ${error.message.length} characters`);
  assert.ok(error.message.length <= MAX_MESSAGE_LENGTH, `a message of ${error.message.length} characters`);
  assert.doesNotMatch(error.message, /^\s+at .+:\d+:\d+\)?$/m);
  assert.ok([1, 2].includes(error.exitCode));
}

/**
 * What `read` makes of an input, or undefined where it refuses it: with an error of its own layer and a code
 * that its documentation names.
 */
export function readOrRefuse<Value, Code extends string>(
  read: () => Value,
  layer: ErrorClass<Code>,
  codes: readonly Code[],
): { readonly value: Value } | undefined {
  try {
    return { value: read() };
  } catch (error) {
    checkRefusal(error);
    assert.ok(error instanceof layer, `a ${error.name}: ${error.message}`);
    assert.ok(
      codes.some((code) => code === error.code),
      `the code ${error.code}: ${error.message}`,
    );
    return undefined;
  }
}

/** What a parser and its formatter must do with every text that the parser takes. */
export interface RoundTrip<Value> {
  readonly read: (text: string) => Value;
  readonly write: (value: Value) => string;
  /** What is compared; left out, the values themselves. */
  readonly portrait?: (value: Value) => unknown;
}

/** That `value`, read from some text, is written as one text, which is read as the same. */
export function checkRoundTrip<Value>(
  value: Value,
  { read, write, portrait = (same) => same }: RoundTrip<Value>,
): void {
  const canonical = write(value);
  const again = read(canonical);
  assert.equal(write(again), canonical);
  assert.deepStrictEqual(portrait(again), portrait(value));
}
