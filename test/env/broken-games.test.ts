import fc from 'fast-check';
import { expect, test } from 'vitest';
import { connectFour } from '../../env/connect-four/connect-four.js';
import type { ConnectFourState } from '../../env/connect-four/position.js';
import type { Game } from '../../env/game.js';
import { GAME_LAWS, picks } from './game-laws.js';

/** Connect Four with one fault, and the law that must find it. */
const BROKEN: readonly (readonly [string, string, Partial<Game<ConnectFourState>>])[] = [
  [
    'undo forgets whose turn it is',
    'undo takes back what apply did',
    {
      undo: (state) => {
        connectFour.undo(state);
        state.ply += 1;
      },
    },
  ],
  [
    'full columns are legal',
    'isLegal and countLegalActions agree with the list',
    { isLegal: (_state, action) => action >= 0 && action < 7 },
  ],
  [
    'actions are not in order',
    'legal actions are ascending, in range and none exactly at the end',
    {
      legalActions: (state, out) => {
        const count = connectFour.legalActions(state, out);
        out.subarray(0, count).reverse();
        return count;
      },
    },
  ],
  [
    'clones share the board',
    'a clone and what it was made from do not share',
    { clone: (state) => ({ ...state }) },
  ],
  [
    'a plane is not written where it is 0',
    'observe overwrites its part of the buffer with 0 to 1',
    {
      observe: (state, out, offset) => {
        state.cells.forEach((stone, cell) => {
          if (stone !== 0) out[offset + cell * 3] = 1;
        });
      },
    },
  ],
  [
    'the hash depends on history',
    'hashes that moves update equal those made anew',
    { hash: (s) => s.historyLength },
  ],
  [
    'the mirror leaves actions where they are',
    'symmetries map legal actions and observations',
    {
      symmetries: connectFour.symmetries.map((symmetry) => ({
        ...symmetry,
        policyIndices: connectFour.symmetries[0]!.policyIndices,
      })),
    },
  ],
  [
    'what is packed has no stones',
    'packed bytes hold all that can be observed',
    { pack: (_s, out) => void out.fill(1) },
  ],
  ['policy indices overlap', 'policy indices and actions map one to one', { policyIndex: () => 0 }],
];

test.each(BROKEN)('a game in which %s breaks the law "%s"', (_fault, law, fault) => {
  const gameCase = {
    game: { ...connectFour, ...fault },
    seenSquare: (_player: 0 | 1, square: number) => square,
    reflectedStart: () => connectFour.initialState(),
  };
  const { failed } = fc.check(
    fc.property(picks, (numbers) => {
      GAME_LAWS[law]!(gameCase, numbers);
    }),
    { numRuns: 50, endOnFailure: true },
  );
  expect(failed).toBe(true);
});
