import fc from 'fast-check';
import { expect } from 'vitest';
import type { Action, Game, Symmetry } from '../../env/game.js';

/** A game with what its laws need to know besides. */
export interface GameCase<State> {
  readonly game: Game<State>;
  /** The square of the board that the mover sees as `square`; an involution. */
  readonly seenSquare: (player: 0 | 1, square: number) => number;
  /** The initial position with what is on square `s` put on `to[s]`. */
  readonly reflectedStart: (to: (square: number) => number) => State;
  /** Whether a ko rule looks at earlier boards, which a position's text does not hold. */
  readonly textForgetsBoards?: boolean;
}

/** A game as numbers, each choosing among the moves at hand, so that a failure shrinks to a short game. */
export const picks = fc.array(fc.nat(2 ** 20), { maxLength: 40 });

export function listActions<State>(game: Game<State>, state: State): Int32Array {
  const out = new Int32Array(game.maxLegalActions);
  return out.slice(0, game.legalActions(state, out));
}

/** The move that `pick` chooses: the first from there that does not lose at once, if there is one. */
export function choose<State>(game: Game<State>, state: State, pick: number): Action {
  const actions = listActions(game, state);
  const loss = game.currentPlayer(state) === 0 ? -1 : 1;
  for (let i = 0; i < actions.length; i++) {
    const action = actions[(pick + i) % actions.length]!;
    game.apply(state, action);
    const outcome = game.outcome(state);
    game.undo(state);
    if (outcome !== loss) return action;
  }
  return actions[pick % actions.length]!;
}

/** Plays the game that `numbers` choose and shows every position of it, the last included. */
export function playThrough<State>(
  game: Game<State>,
  numbers: readonly number[],
  visit: (state: State, nextPick: number) => void,
): State {
  const state = game.initialState();
  for (const pick of numbers) {
    visit(state, pick);
    if (game.outcome(state) !== null) return state;
    game.apply(state, choose(game, state, pick));
  }
  visit(state, 0);
  return state;
}

function observation<State>(game: Game<State>, state: State, viewer?: 0 | 1): Float32Array {
  const [rows, columns, planes] = game.observationShape;
  const out = new Float32Array(rows * columns * planes);
  game.observe(state, out, 0, viewer);
  return out;
}

/** Compared as text, which is much faster than number by number. */
function bytesText(array: Float32Array | Uint8Array | Int32Array): string {
  return Buffer.from(array.buffer, array.byteOffset, array.byteLength).toString('base64');
}

function packed<State>(game: Game<State>, state: State): Uint8Array {
  const bytes = new Uint8Array(game.packedSize);
  game.pack(state, bytes, 0);
  return bytes;
}

/** All that can be asked of a state; `history` left out, what a position without history tells as well. */
function portrait<State>(game: Game<State>, state: State): Readonly<Record<string, unknown>> {
  return {
    text: game.formatPosition(state),
    player: game.currentPlayer(state),
    ply: game.ply(state),
    outcome: game.outcome(state),
    actions: bytesText(listActions(game, state)),
    hash: game.hash(state),
    observationHash: game.observationHash(state),
    observation: bytesText(observation(game, state)),
    packed: bytesText(packed(game, state)),
  };
}

function history<State>(game: Game<State>, state: State): Action[] {
  return Array.from({ length: game.historyLength(state) }, (_, index) => game.historyAction(state, index));
}

function unpacked<State>(game: Game<State>, bytes: Uint8Array): State {
  const state = game.initialState();
  game.unpack(bytes, 0, state);
  return state;
}

function applySymmetry<State>(
  { game, seenSquare, reflectedStart }: GameCase<State>,
  state: State,
  symmetry: Symmetry,
): State {
  const player = game.currentPlayer(state);
  const mirrored = reflectedStart((square) =>
    seenSquare(player, symmetry.squares[seenSquare(player, square)]!),
  );
  for (const action of history(game, state)) {
    const index = symmetry.policyIndices[game.policyIndex(player, action)]!;
    game.apply(mirrored, game.actionOfPolicyIndex(player, index));
  }
  return mirrored;
}

function sortedPolicyIndices<State>(game: Game<State>, state: State): Int32Array {
  const player = game.currentPlayer(state);
  return listActions(game, state)
    .map((action) => game.policyIndex(player, action))
    .sort();
}

type Law = <State>(gameCase: GameCase<State>, numbers: readonly number[]) => void;

/** What holds for every game, by name; each for the game that `numbers` choose. */
export const GAME_LAWS: Readonly<Record<string, Law>> = {
  'undo takes back what apply did': ({ game }, numbers) => {
    const last = playThrough(game, numbers, (state) => {
      const before = portrait(game, state);
      const actions = listActions(game, state);
      for (const action of [actions.at(0), actions.at(-1)]) {
        if (action === undefined) continue;
        game.apply(state, action);
        game.undo(state);
        expect(portrait(game, state)).toEqual(before);
      }
    });
    while (game.historyLength(last) > 0) game.undo(last);
    expect(portrait(game, last)).toEqual(portrait(game, game.initialState()));
  },

  'legal actions are ascending, in range and none exactly at the end': ({ game }, numbers) => {
    playThrough(game, numbers, (state) => {
      const actions = listActions(game, state);
      expect(actions.every((action, i) => action > (actions[i - 1] ?? -1) && action < game.numActions)).toBe(
        true,
      );
      expect(actions.length === 0).toBe(game.outcome(state) !== null);
      expect(actions.length).toBeLessThanOrEqual(game.maxLegalActions);
    });
  },

  'isLegal and countLegalActions agree with the list': ({ game }, numbers) => {
    playThrough(game, numbers, (state, pick) => {
      const actions = new Set(listActions(game, state));
      expect(game.countLegalActions(state)).toBe(actions.size);
      const others = [
        -1,
        game.numActions,
        0.5,
        NaN,
        ...Array.from({ length: 40 }, (_, i) => (pick * (i + 1)) % game.numActions),
      ];
      for (const action of [...actions, ...[...actions].map((action) => action + 1), ...others]) {
        expect([action, game.isLegal(state, action)]).toEqual([action, actions.has(action)]);
      }
    });
  },

  'a move changes player, ply and history': ({ game }, numbers) => {
    const played: Action[] = [];
    playThrough(game, numbers, (state, pick) => {
      expect(game.ply(state)).toBe(played.length);
      expect(history(game, state)).toEqual(played);
      expect(game.currentPlayer(state)).toBe(played.length % 2);
      if (game.outcome(state) === null) played.push(choose(game, state, pick));
    });
  },

  'hashes that moves update equal those made anew': ({ game }, numbers) => {
    playThrough(game, numbers, (state) => {
      const hash = game.hash(state);
      expect(Number.isSafeInteger(hash) && hash >= 0).toBe(true);
      expect(Number.isSafeInteger(game.observationHash(state))).toBe(true);
      expect(game.hash(game.parsePosition(game.formatPosition(state)))).toBe(hash);
      expect(game.hash(unpacked(game, packed(game, state)))).toBe(hash);
    });
  },

  'a clone and what it was made from do not share': ({ game }, numbers) => {
    playThrough(game, numbers, (state, pick) => {
      const before = portrait(game, state);
      const clone = game.clone(state);
      expect(history(game, clone)).toEqual(history(game, state));
      if (game.outcome(state) === null) game.apply(clone, choose(game, clone, pick + 1));
      expect(portrait(game, state)).toEqual(before);
      while (game.historyLength(clone) > 0) game.undo(clone);
      expect(portrait(game, clone)).toEqual(portrait(game, game.initialState()));
      expect(portrait(game, state)).toEqual(before);
    });
  },

  'texts of positions and actions come back': ({ game, textForgetsBoards = false }, numbers) => {
    playThrough(game, numbers, (state) => {
      const text = game.formatPosition(state);
      const parsed = game.parsePosition(text);
      expect(game.formatPosition(parsed)).toBe(text);
      // What was barred is legal again, and a game that ended because all was barred goes on.
      const parsedActions = listActions(game, parsed).filter(
        (action) => !textForgetsBoards || game.outcome(state) !== null || game.isLegal(state, action),
      );
      const endedByKo = textForgetsBoards && game.outcome(parsed) === null && game.outcome(state) !== null;
      if (!endedByKo) {
        expect(parsedActions).toEqual(listActions(game, state));
        expect(game.outcome(parsed)).toBe(game.outcome(state));
      }
      for (const action of listActions(game, state)) {
        expect(game.parseAction(game.formatAction(action))).toBe(action);
      }
    });
  },

  'packed bytes hold all that can be observed': ({ game }, numbers) => {
    playThrough(game, numbers, (state) => {
      const copy = unpacked(game, packed(game, state));
      expect(portrait(game, copy)).toEqual(portrait(game, state));
      expect(game.historyLength(copy)).toBe(0);
      // Nothing is left of a state that is overwritten.
      const used = game.clone(state);
      game.unpack(packed(game, state), 0, used);
      expect(portrait(game, used)).toEqual(portrait(game, state));
      expect(game.historyLength(used)).toBe(0);
    });
  },

  'observe overwrites its part of the buffer with 0 to 1': ({ game }, numbers) => {
    playThrough(game, numbers, (state) => {
      const expected = observation(game, state);
      const out = new Float32Array(expected.length + 7).fill(NaN);
      game.observe(state, out, 3);
      expect(bytesText(out.slice(3, -4))).toBe(bytesText(expected));
      expect(expected.every((value) => value >= 0 && value <= 1)).toBe(true);
      expect(out.subarray(0, 3).every(Number.isNaN) && out.subarray(-4).every(Number.isNaN)).toBe(true);
      expect(bytesText(observation(game, state, game.currentPlayer(state)))).toBe(bytesText(expected));
    });
  },

  'policy indices and actions map one to one': ({ game }, numbers) => {
    playThrough(game, numbers, (state) => {
      for (const player of [0, 1] as const) {
        const actions = listActions(game, state);
        const indices = actions.map((action) => game.policyIndex(player, action));
        expect(indices.every((index) => index >= 0 && index < game.numActions)).toBe(true);
        expect(indices.map((index) => game.actionOfPolicyIndex(player, index))).toEqual(actions);
      }
    });
  },

  'symmetries map legal actions and observations': (gameCase, numbers) => {
    const { game } = gameCase;
    const state = playThrough(game, numbers, () => undefined);
    const planes = game.observationShape[2];
    const seen = observation(game, state);
    for (const symmetry of game.symmetries) {
      const mirrored = applySymmetry(gameCase, state, symmetry);
      const indices = sortedPolicyIndices(game, state).map((index) => symmetry.policyIndices[index]!);
      expect(sortedPolicyIndices(game, mirrored)).toEqual(indices.sort());
      const expected = new Float32Array(seen.length);
      symmetry.squares.forEach((to, from) => {
        expected.set(seen.subarray(from * planes, (from + 1) * planes), to * planes);
      });
      expect(bytesText(observation(game, mirrored))).toBe(bytesText(expected));
      expect(game.outcome(mirrored)).toBe(game.outcome(state));
    }
  },
};

/** Symmetries are permutations, all different, and the first leaves all as it is. */
export function checkSymmetries<State>({ game }: GameCase<State>): void {
  const count = (numbers: Uint16Array): number => new Set(numbers).size;
  const [rows, columns] = game.observationShape;
  for (const { squares, policyIndices } of game.symmetries) {
    expect([count(squares), count(policyIndices)]).toEqual([rows * columns, game.numActions]);
    expect([squares.length, policyIndices.length]).toEqual([rows * columns, game.numActions]);
  }
  const identity = game.symmetries[0]!;
  expect(identity.squares.every((to, from) => to === from)).toBe(true);
  expect(identity.policyIndices.every((to, from) => to === from)).toBe(true);
  expect(new Set(game.symmetries.map(({ squares }) => squares.join())).size).toBe(game.symmetries.length);
}
