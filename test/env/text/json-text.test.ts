import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { JsonTextError, parseJsonText } from '../../../env/text/json-text.js';

function reasonOf(text: string, limits?: Parameters<typeof parseJsonText>[1]): string {
  try {
    parseJsonText(text, limits);
    return 'parsed';
  } catch (error) {
    expect(error).toBeInstanceOf(JsonTextError);
    return (error as JsonTextError).reason;
  }
}

const lists = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
const objects = (depth: number): string => '{"a":'.repeat(depth) + '1' + '}'.repeat(depth);

test('JSON is parsed as by JSON.parse', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 6 }), (text) => {
      fc.pre(!text.includes('__proto__'));
      expect(parseJsonText(text)).toEqual(JSON.parse(text));
    }),
  );
});

describe('is refused:', () => {
  test.each(['', '{', 'nul', '"', '"\\', '[1,]', '[', ']'])('%j, which is not JSON', (text) => {
    expect(reasonOf(text)).toBe('syntax');
  });

  test.each([1500, 100_000, 5_000_000])('JSON nested %d deep, without reading on', (depth) => {
    const texts = [lists(depth), objects(depth), '['.repeat(depth)];
    const reads = vi.spyOn(String.prototype, 'charCodeAt');
    const reasons = texts.map((text) => reasonOf(text));
    const count = reads.mock.calls.length;
    reads.mockRestore();
    expect(reasons).toEqual(['depth', 'depth', 'depth']);
    // Each of the 65 levels of the three texts is read, one of an object in several steps.
    expect(count).toBeGreaterThanOrEqual(3 * 65);
    expect(count).toBeLessThan(1000);
  });

  test('JSON one level too deep; brackets in texts do not count', () => {
    expect(reasonOf(lists(64))).toBe('parsed');
    expect(reasonOf(objects(65))).toBe('depth');
    expect(reasonOf(JSON.stringify([lists(1000), '\\"[[[', '\\']), { maxDepth: 1 })).toBe('parsed');
  });

  test('more values than are allowed', () => {
    const limits = { maxValues: 1000 };
    expect(reasonOf(JSON.stringify(Array(1000).fill(0)), limits)).toBe('parsed');
    expect(reasonOf(JSON.stringify(Array(1001).fill(0)), limits)).toBe('values');
    expect(reasonOf(`[${Array(1001).fill('{}').join(' ')}]`, limits)).toBe('values');
  });

  test.each(['{"__proto__": 1}', '[{"a": {"__proto__": {}}}]', String.raw`{"\u005f_proto__": []}`])(
    'the key __proto__ in %s',
    (text) => {
      expect(reasonOf(text)).toBe('name');
    },
  );
});

test('a key __proto__ is reported with its place', () => {
  expect(() => parseJsonText('{"a": [{}, {"b": {"__proto__": 1}}]}')).toThrow("found '__proto__', at a[1].b");
});
