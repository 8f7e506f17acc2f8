import { describe, expect, test } from 'vitest';
import { createGess } from '../../../env/gess/gess.js';
import { boardText, ringAt, squareOf, type Stone } from './gess-boards.js';

const gess = createGess();

/** With a ring of White's on r18 and these stones, Black to move. */
function board(stones: readonly Stone[]): string {
  return `${boardText([...ringAt('w', squareOf('r18')), ...stones])} b 10`;
}

function blackRings(text: string): unknown {
  return gess.describe!(gess.parsePosition(text))['rings'];
}

/** Without Black's ring, White, who has just moved, has won (docs/reference/rules.md, 3.3 and 3.5). */
function lost(text: string): boolean {
  return gess.outcome(gess.parsePosition(text)) === -1;
}

describe('rings (docs/reference/rules.md 3.1)', () => {
  test.each(['c3', 'c18', 'r3', 'c10', 'k3', 'h8', 'n18'])('a ring on %s counts', (center) => {
    const text = board(ringAt('b', squareOf(center)));
    expect(blackRings(text)).toEqual({ black: [center], white: ['r18'] });
    expect(lost(text)).toBe(false);
  });

  test.each([0, 1, 2, 3, 4, 5, 6, 7])(
    'seven of the eight stones, without number %d, are not a ring',
    (missing) => {
      const text = board(ringAt('b', squareOf('h8')).toSpliced(missing, 1));
      expect(blackRings(text)).toEqual({ black: [], white: ['r18'] });
      expect(lost(text)).toBe(true);
    },
  );

  test.each(['b', 'w'] as const)('with a stone %s in its centre it does not count', (color) => {
    const text = board([...ringAt('b', squareOf('h8')), { color, square: squareOf('h8') }]);
    expect(blackRings(text)).toEqual({ black: [], white: ['r18'] });
    expect(lost(text)).toBe(true);
  });

  test.each(['b10', 's10', 'h2', 'h19', 'b2', 's2'])(
    'around %s it would not be entirely on the grid',
    (center) => {
      const onGrid = ringAt('b', squareOf(center)).filter(({ square }) => {
        const [row, column] = [Math.floor(square / 20), square % 20];
        return row >= 1 && row <= 18 && column >= 1 && column <= 18;
      });
      expect(onGrid.length).toBeLessThan(8);
      expect(blackRings(board(onGrid))).toEqual({ black: [], white: ['r18'] });
      expect(lost(board(onGrid))).toBe(true);
    },
  );

  test('a player who loses one of several rings continues with another', () => {
    const state = gess.parsePosition(board([...ringAt('b', squareOf('c3')), ...ringAt('b', squareOf('h8'))]));
    gess.apply(state, gess.parseAction('c3-c4'));
    expect(gess.describe!(state)['rings']).toEqual({ black: ['c4', 'h8'], white: ['r18'] });
    gess.undo(state);
    // Only the lower ring's left side moves west, so it is no longer a ring.
    gess.apply(state, gess.parseAction('b5-b6'));
    expect(gess.describe!(state)['rings']).toEqual({ black: ['h8'], white: ['r18'] });
    expect(gess.outcome(state)).toBeNull();
  });
});
