import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe } from 'vitest';
import { NotationError } from '../../../env/errors.js';
import type { Game } from '../../../env/game.js';
import { fuzz } from '../fuzz.js';
import { FUZZED_GAMES } from './fuzzed-games.js';
import { hostileTexts, poolOf } from '../hostile-texts.js';
import { checkRoundTrip, readOrRefuse } from '../refusal.js';
import { checkState, packed, portrait } from './state-laws.js';

const CODES = ['position-syntax', 'position-size', 'position-turn'] as const;

/** Checks that earlier inputs have no effect on later ones. */
function checkUntouched(game: Game<unknown>, start: string): void {
  assert.equal(game.formatPosition(game.initialState()), start);
}

describe.each(FUZZED_GAMES)('$id', ({ games, positions, alphabet }) => {
  const starts = new Map(
    Array.from(games, ([rules, game]) => [rules, game.formatPosition(game.initialState())]),
  );
  const anyRules = fc.constantFrom(...games.keys());

  fuzz('the text of a position', {
    input: fc.record({ rules: anyRules, text: hostileTexts(positions, alphabet), pick: fc.nat() }),
    runs: 300,
    law: ({ rules, text, pick }) => {
      const game = games.get(rules)!;
      const found = readOrRefuse(() => game.parsePosition(text), NotationError, CODES);
      checkUntouched(game, starts.get(rules)!);
      if (found === undefined) return false;
      checkRoundTrip(found.value, {
        read: (words) => game.parsePosition(words),
        write: (state) => game.formatPosition(state),
        portrait: (state) => portrait(game, state),
      });
      checkState(game, found.value, pick);
      return true;
    },
  });

  const pool = poolOf(positions);
  const packedTexts = fc.tuple(anyRules, pool).map(([rules, text]) => {
    const game = games.get(rules)!;
    const found = readOrRefuse(() => game.parsePosition(text), NotationError, CODES);
    return { rules, bytes: packed(game, found === undefined ? game.initialState() : found.value) };
  });
  const edits = fc.array(
    fc.tuple(fc.nat(400), fc.oneof(fc.nat(255), fc.constantFrom(0, 1, 2, 4, 128, 255))),
    {
      maxLength: 4,
    },
  );
  const changedBytes = fc.tuple(packedTexts, edits).map(([{ rules, bytes }, list]) => {
    for (const [at, value] of list) bytes[at % bytes.length] = value;
    return { rules, bytes };
  });
  const anyBytes = fc.record({ rules: anyRules, bytes: fc.uint8Array({ maxLength: 100 }) });

  fuzz('the bytes of a position', {
    input: fc.record({
      from: fc.oneof({ weight: 8, arbitrary: changedBytes }, { weight: 1, arbitrary: anyBytes }),
      pick: fc.nat(),
      offset: fc.nat(3),
    }),
    runs: 300,
    law: ({ from: { rules, bytes }, pick, offset }) => {
      const game = games.get(rules)!;
      // The previous content of the state must not matter.
      const used = game.initialState();
      game.apply(used, firstAction(game, used));
      const shifted = Buffer.concat([Buffer.alloc(offset, pick & 255), bytes]);
      const found = readOrRefuse(
        () => {
          game.unpack(shifted, offset, used);
        },
        NotationError,
        CODES,
      );
      checkUntouched(game, starts.get(rules)!);
      if (found === undefined) return false;
      assert.deepEqual(
        packed(game, used).toString('hex'),
        Buffer.from(bytes.subarray(0, game.packedSize)).toString('hex'),
      );
      checkState(game, used, pick);
      return true;
    },
  });
});

function firstAction(game: Game<unknown>, state: unknown): number {
  const actions = new Int32Array(game.maxLegalActions);
  game.legalActions(state, actions);
  return actions[0]!;
}
