import assert from 'node:assert/strict';
import { type Game, listActions } from '../../../env/game.js';
import { explainIllegal, nameOutcome } from '../../../env/replay/replay.js';
import { checkWellFormed } from '../../env/well-formed.js';

/** Guard numbers around the planes, which must not be overwritten. */
const GUARD = 3;

function observation(game: Game<unknown>, state: unknown): Float32Array {
  const [rows, columns, planes] = game.observationShape;
  const size = rows * columns * planes;
  const out = new Float32Array(size + 2 * GUARD).fill(NaN);
  game.observe(state, out, GUARD);
  for (let i = 0; i < out.length; i++) {
    const value = out[i]!;
    const isInside = i >= GUARD && i < GUARD + size;
    if (isInside ? !(value >= 0 && value <= 1) : !Number.isNaN(value)) {
      assert.fail(`${value} at ${i - GUARD} of ${size} numbers`);
    }
  }
  return out;
}

export function packed(game: Game<unknown>, state: unknown): Buffer {
  const bytes = Buffer.alloc(game.packedSize + 2 * GUARD, 0xa5);
  game.pack(state, bytes, GUARD);
  for (let i = 0; i < GUARD; i++) {
    assert.equal(bytes[i], 0xa5);
    assert.equal(bytes[bytes.length - 1 - i], 0xa5);
  }
  return bytes.subarray(GUARD, -GUARD);
}

/** Everything that a position's text describes. */
export function portrait(game: Game<unknown>, state: unknown): Readonly<Record<string, unknown>> {
  return {
    text: game.formatPosition(state),
    player: game.currentPlayer(state),
    ply: game.ply(state),
    outcome: game.outcome(state),
    actions: listActions(game, state).join(),
    hash: game.hash(state),
    observationHash: game.observationHash(state),
    packed: packed(game, state).toString('hex'),
  };
}

function checkActions(game: Game<unknown>, state: unknown): Int32Array {
  const actions = listActions(game, state);
  assert.ok(actions.length <= game.maxLegalActions);
  assert.equal(game.countLegalActions(state), actions.length);
  assert.equal(actions.length === 0, game.outcome(state) !== null);
  for (let i = 0; i < actions.length; i++) {
    const action = actions[i]!;
    assert.ok(action > (actions[i - 1] ?? -1) && action < game.numActions);
  }
  return actions;
}

function checkPictures(game: Game<unknown>, state: unknown, piece: string): void {
  assert.ok(game.render(state, { piece }).length > 20);
  assert.ok(JSON.stringify(game.describe?.(state) ?? {}).startsWith('{'));
  assert.ok(JSON.stringify(game.describePieces?.(state) ?? []).startsWith('['));
  checkWellFormed(game.renderSvg!(state, { piece }));
  nameOutcome(game, state);
}

/** Plays the move chosen by `pick` and undoes it. */
function checkMove(game: Game<unknown>, state: unknown, pick: number): void {
  const actions = checkActions(game, state);
  const some = (pick * 7919) % game.numActions;
  assert.equal(game.isLegal(state, some), actions.includes(some));
  if (!actions.includes(some)) assert.ok(explainIllegal(game, state, some).length > 5);
  const isForced = !actions.includes(some) && game.canForce?.(state, some) === true;
  const action = isForced ? some : actions[pick % actions.length];
  if (action === undefined) return;
  const before = portrait(game, state);
  game.spendTime?.(state, 0);
  game.apply(state, action);
  checkActions(game, state);
  observation(game, state);
  assert.equal(game.currentPlayer(state), 1 - Number(before['player']));
  game.undo(state);
  assert.deepStrictEqual(portrait(game, state), before);
}

/**
 * Checks that all functions of the game work on a state without history, which comes from a text or bytes; `pick`
 * chooses a move.
 */
export function checkState(game: Game<unknown>, state: unknown, pick: number): void {
  const piece = game.id === 'quess' ? 'C3' : 'l3';
  assert.equal(game.historyLength(state), 0);
  const before = portrait(game, state);
  observation(game, state);
  checkPictures(game, state, piece);
  checkMove(game, state, pick);
  const copy = game.initialState();
  game.unpack(packed(game, state), 0, copy);
  assert.deepStrictEqual(portrait(game, copy), before);
  assert.deepStrictEqual(portrait(game, game.clone(state)), before);
}
