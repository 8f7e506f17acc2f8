import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openSealed, sealJson, type SealedLayout } from '../../../data/files/sealed-json.js';
import { JsonTextError } from '../../../env/text/json-text.js';

const objects = fc
  .dictionary(fc.string(), fc.jsonValue())
  .filter((value) => !Object.hasOwn(value, 'sha256') && !Object.hasOwn(value, '__proto__'))
  .map((value) => JSON.parse(JSON.stringify(value)) as object);

describe.each<SealedLayout>(['file', 'line'])('a sealed %s', (layout) => {
  test('returns the object', () => {
    fc.assert(
      fc.property(objects, (value) => {
        expect(openSealed(sealJson(value, layout), layout)).toEqual({ value, seal: 'sound' });
      }),
    );
  });

  test('is one line in the layout of lines', () => {
    fc.assert(
      fc.property(objects, (value) => {
        expect(sealJson(value, 'line').indexOf('\n')).toBe(sealJson(value, 'line').length - 1);
      }),
    );
  });

  test('is not sound with any byte changed', () => {
    fc.assert(
      fc.property(objects, fc.nat(), fc.integer({ min: 1, max: 255 }), (value, at, change) => {
        const bytes = Buffer.from(sealJson(value, layout));
        bytes[at % bytes.length]! ^= change;
        const sealOf = (text: string): string => {
          try {
            return openSealed(text, layout).seal;
          } catch (error) {
            expect(error).toBeInstanceOf(JsonTextError);
            return 'no object';
          }
        };
        expect(sealOf(bytes.toString())).not.toBe('sound');
      }),
    );
  });
});

test.each(['', '[]', 'null', '3', '{'])('%j is not an object', (text) => {
  expect(() => openSealed(text, 'line')).toThrow(JsonTextError);
});

test('an object without a checksum is read as unsealed', () => {
  expect(openSealed('{"a": 1}', 'file')).toEqual({ value: { a: 1 }, seal: 'unsealed' });
});

test('an object with a checksum of its own is not sealed: the seal would replace it', () => {
  expect(() => sealJson({ sha256: 'a'.repeat(64) }, 'line')).toThrow("without a key 'sha256'");
});
