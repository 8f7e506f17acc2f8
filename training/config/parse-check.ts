import type * as z from 'zod';
import { CodedError } from '../../env/errors.js';

/** A zod check that reports an error of `parse` as a problem of the configuration, at the place of the value. */
export function mustParse<Value>(
  parse: (value: Value) => unknown,
): (value: Value, context: z.RefinementCtx) => void {
  return (value, context) => {
    try {
      parse(value);
    } catch (error) {
      if (!(error instanceof CodedError)) throw error;
      // Checks that combine settings need this value parsed: zod skips them after this problem.
      context.addIssue({ code: 'custom', message: error.message, continue: false });
    }
  };
}
