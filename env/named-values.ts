import * as z from 'zod';

function hasProto(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, '__proto__');
}

/**
 * Objects with any names, each with a value of `values`. Refuses the name `__proto__`, which JSON can have and
 * `z.record` leaves out without a word.
 */
export function namedValues<Value>(values: z.ZodType<Value>): z.ZodType<Record<string, Value>> {
  return z
    .unknown()
    .refine((value) => !hasProto(value), "expected names that objects can have, found '__proto__'")
    .pipe(z.record(z.string(), values));
}
