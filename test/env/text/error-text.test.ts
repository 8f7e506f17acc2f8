import { expect, test } from 'vitest';
import { errorText } from '../../../env/text/error-text.js';

function refuse(): never {
  throw new Error('a trap');
}

test.each([
  ['an error', new Error('no luck'), 'no luck'],
  ['null', null, 'null'],
  ['undefined', undefined, 'undefined'],
  ['a text', 'no luck', 'no luck'],
  ['a symbol', Symbol('s'), 'Symbol(s)'],
  ['a frozen object', Object.freeze({ a: 1 }), '[object Object]'],
  ['an error whose message is a number', Object.assign(new Error('no luck'), { message: 3 }), '3'],
  [
    'an error whose message throws',
    Object.defineProperty(new Error('no luck'), 'message', { get: refuse }),
    'an error without a readable message',
  ],
  ['an object without a prototype', Object.create(null), 'an error without a readable message'],
  [
    'a proxy that throws',
    new Proxy(new Error('no luck'), { get: refuse, getPrototypeOf: refuse, has: refuse }),
    'an error without a readable message',
  ],
])('%s has a text', (_name, thrown, text) => {
  expect(errorText(thrown)).toBe(text);
});
