import * as z from 'zod';

function hasProto(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, '__proto__');
}

/**
 * Schema of an object with any names and values of the schema `values`. Rejects the name `__proto__`, which
 * JSON allows and `z.record` silently drops.
 */
export function namedValues<Value>(values: z.ZodType<Value>): z.ZodType<Record<string, Value>> {
  return z
    .unknown()
    .refine((value) => !hasProto(value), "expected names that objects can have, found '__proto__'")
    .pipe(z.record(z.string(), values));
}
