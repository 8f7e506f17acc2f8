import assert from 'node:assert/strict';
import { CodedError } from '../../env/errors.js';
import { MAX_MESSAGE_LENGTH } from '../../env/text/quoted-text.js';

// Laws use node:assert, which is faster than `expect`, since they run a million times.

/** An error class of a layer. */
type ErrorClass<Code extends string> = abstract new (...args: never[]) => CodedError<Code>;

/** Rethrows an error, unless it reports bad input with a message for people. */
export function checkRefusal(error: unknown): asserts error is CodedError {
  if (!(error instanceof CodedError)) throw error;
  assert.match(String(error.code), /^[a-z]+(-[a-z]+)*$/);
  assert.ok(error.message.length > 10, `a message of ${error.message.length} characters`);
  assert.ok(error.message.length <= MAX_MESSAGE_LENGTH, `a message of ${error.message.length} characters`);
  assert.doesNotMatch(error.message, /^\s+at .+:\d+:\d+\)?$/m);
  assert.ok([1, 2].includes(error.exitCode));
}

/**
 * The value that `read` returns, or undefined if it refuses the input with an error of its own layer and a documented
 * code.
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

/** Whether a reader accepts its input, null meaning no input. A refusal must have a code. */
export async function takes(read: () => unknown): Promise<boolean> {
  try {
    return (await read()) !== null;
  } catch (error) {
    checkRefusal(error);
    return false;
  }
}

/** A parser and its formatter, which must round-trip every text that the parser accepts. */
export interface RoundTrip<Value> {
  readonly read: (text: string) => Value;
  readonly write: (value: Value) => string;
  /** The comparable form of a value. Defaults to the value itself. */
  readonly portrait?: (value: Value) => unknown;
}

/** Checks that `value`, parsed from some text, has one canonical text, which parses to an equal value. */
export function checkRoundTrip<Value>(
  value: Value,
  { read, write, portrait = (same) => same }: RoundTrip<Value>,
): void {
  const canonical = write(value);
  const again = read(canonical);
  assert.equal(write(again), canonical);
  assert.deepStrictEqual(portrait(again), portrait(value));
}
