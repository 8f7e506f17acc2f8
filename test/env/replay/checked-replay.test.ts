import { describe, expect, test } from 'vitest';
import { createGame } from '../../../env/games.js';
import { positionAfter, replayMoves } from '../../../env/replay/checked-replay.js';

const gess = createGame('gess');
const timed = createGame('quess', 'standard,clock=180');

/** A call from JavaScript, which has no types. */
function call(run: (game: never, replay: never) => unknown, ...values: readonly unknown[]): unknown {
  return run(values[0] as never, values[1] as never);
}

describe.each([
  ['replayMoves', replayMoves],
  ['positionAfter', positionAfter],
])('%s', (_, run) => {
  test.each([
    [{}, 'an object without keys'],
    [undefined, 'undefined'],
    [{ moves: 3 }, 'an object with keys moves'],
    [{ moves: ['f6-f7'] }, 'an object with keys moves'],
    [{ moves: '', position: 3 }, 'an object with keys moves, position'],
    [{ moves: '', postion: 'x' }, 'an object with keys moves, postion'],
    [{ moves: 'F2-D3', seconds: '50' }, 'an object with keys moves, seconds'],
  ])('refuses %j', (replay, found) => {
    const replayIt = (): unknown => call(run, gess, replay);
    expect(replayIt).toThrow(expect.objectContaining({ code: 'request-syntax' }));
    expect(replayIt).toThrow(`got ${found}`);
  });

  test('refuses what is no game', () => {
    expect(() => call(run, 'gess', { moves: '' })).toThrow(
      expect.objectContaining({ code: 'game-invalid', message: 'expected a game, got "gess"' }),
    );
  });

  test.each([[-50], [NaN], [Infinity], ['50']])('refuses %j seconds', (seconds) => {
    expect(() => call(run, timed, { moves: 'F2-D3', seconds: [seconds] })).toThrow(
      expect.objectContaining({ code: 'seconds-range' }),
    );
  });
});

test('a position after moves has the clocks of the replay', () => {
  const replay = { moves: 'F2-D3', seconds: [50] };
  const { position } = replayMoves(timed, replay);
  expect(position).toContain(' 130 180');
  expect(timed.formatPosition(positionAfter(timed, replay))).toBe(position);
});
