import { expect, test } from 'vitest';
import { NotationError } from '../../env/errors.js';
import { MAX_MESSAGE_LENGTH } from '../../env/text/quoted-text.js';
import { createGess } from '../../env/gess/gess.js';

test('a message that quotes a long text keeps its beginning and its end', () => {
  const error = new NotationError(
    'action-syntax',
    `expected little, got '${'x'.repeat(1_000_000)}' on line 7`,
  );
  expect(error.message.length).toBeLessThanOrEqual(MAX_MESSAGE_LENGTH);
  expect(error.message).toMatch(/^expected little, got 'xx+ … 1000002 characters … x+' on line 7$/);
});

test('shorter messages are kept whole', () => {
  const message = 'x '.repeat(MAX_MESSAGE_LENGTH / 2);
  expect(new NotationError('action-syntax', message).message).toBe(message);
});

test('parsers quote input of any length', () => {
  expect(() => createGess().parseAction('x'.repeat(100_000))).toThrow(/characters … x+'$/);
});
