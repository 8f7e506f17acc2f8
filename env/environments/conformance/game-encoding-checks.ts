import { type Game, listActions, type Player, type Symmetry } from '../../game.js';
import { firstDifference } from './difference.js';
import type { FindingList } from './finding.js';
import { playActions } from './game-play.js';
import { type GameRun, listHistory, observe, pack, positionView, unpack, walk } from './game-run.js';

/** Checks that texts of positions and actions round-trip, apart from history. */
export function checkTexts<State>(run: GameRun<State>): void {
  const { game, list, known } = run;
  walk(run, (state, place) => {
    const text = game.formatPosition(state);
    const parsed = game.parsePosition(text);
    const again = game.formatPosition(parsed);
    if (again !== text) list.end('game-position-text', `expected '${text}' again, got '${again}'`, place);
    const difference =
      known.textForgetsBoards === true
        ? freerDifference(game, parsed, state)
        : firstDifference(textView(game, parsed), textView(game, state));
    list.expectSame('game-position-text', difference, place);
  });
}

/** Checks that texts of legal actions round-trip. */
export function checkActionTexts<State>(run: GameRun<State>): void {
  const { game, list } = run;
  walk(run, (state, place) => {
    for (const action of listActions(game, state)) {
      const text = game.formatAction(action);
      const parsed = game.parseAction(text);
      if (parsed !== action)
        list.end('game-action-text', `expected ${action} for '${text}', got ${parsed}`, place);
    }
  });
}

/** The view of a state without its history, which a text does not have. */
function textView<State>(game: Game<State>, state: State): unknown {
  return { ...positionView(game, state), observation: null };
}

/**
 * Like a difference of `textView`, but barred moves may be legal again, and a game that ended for lack of moves may
 * continue.
 */
function freerDifference<State>(game: Game<State>, found: State, state: State): string | null {
  const view = { player: game.currentPlayer(state), ply: game.ply(state) };
  const foundView = { player: game.currentPlayer(found), ply: game.ply(found) };
  const endedByBoards = game.outcome(state) !== null && game.outcome(found) === null;
  const missing = listActions(game, state).find((action) => !game.isLegal(found, action));
  if (missing !== undefined) return `expected action ${missing} to remain legal, got an illegal one`;
  if (!endedByBoards && game.outcome(state) !== game.outcome(found)) {
    return `expected outcome ${game.outcome(state)}, got ${game.outcome(found)}`;
  }
  return firstDifference(foundView, view);
}

const MARGIN = 3;
const MARK = 0xa5;

/** Checks that packed bytes stay in their range and restore everything observable. */
export function checkPacking<State>(run: GameRun<State>): void {
  const { game, list, known } = run;
  walk(run, (state, place) => {
    const bytes = new Uint8Array(game.packedSize + 2 * MARGIN).fill(MARK);
    game.pack(state, bytes, MARGIN);
    const margins = [...bytes.subarray(0, MARGIN), ...bytes.subarray(-MARGIN)];
    if (margins.some((byte) => byte !== MARK)) {
      list.end(
        'game-packing',
        `expected ${game.packedSize} bytes at the offset, got bytes outside of them`,
        place,
      );
    }
    // A state with history, all of which must be overwritten.
    const copy = playActions(game, run.actions.slice(0, 1));
    game.unpack(bytes, MARGIN, copy);
    if (game.historyLength(copy) !== 0) {
      list.end('game-packing', `expected no history, got ${game.historyLength(copy)} actions`, place);
    }
    const difference =
      known.packingForgetsBoards === true
        ? (freerDifference(game, copy, state) ?? firstDifference(observe(game, copy), observe(game, state)))
        : firstDifference(positionView(game, copy), positionView(game, state));
    list.expectSame('game-packing', difference, place);
  });
}

const HASH_LIMIT = 2 ** 53;

/**
 * Checks that hashes are 53-bit integers, and equal for a position from moves, from its text and from its
 * bytes.
 */
export function checkHashes<State>(run: GameRun<State>): void {
  const { game, list } = run;
  const isHash = (hash: number): boolean => Number.isInteger(hash) && hash >= 0 && hash < HASH_LIMIT;
  walk(run, (state, place) => {
    const hash = game.hash(state);
    const observationHash = game.observationHash(state);
    if (!isHash(hash) || !isHash(observationHash)) {
      list.end('game-hash', `expected integers from 0 below 2^53, got ${hash} and ${observationHash}`, place);
    }
    const text = game.formatPosition(state);
    const parsed = game.parsePosition(text);
    const unpacked = unpack(game, pack(game, state));
    // Texts and bytes that do not round-trip are reported by other checks.
    const others = [parsed, unpacked].filter((other) => game.formatPosition(other) === text);
    for (const found of others.map((other) => game.hash(other))) {
      if (found !== hash)
        list.end('game-hash', `expected ${hash} for the same position, got ${found}`, place);
    }
    const sameView = firstDifference(observe(game, unpacked), observe(game, state)) === null;
    const found = game.observationHash(unpacked);
    if (sameView && found !== observationHash) {
      list.end('game-hash', `expected ${observationHash} for the same observation, got ${found}`, place);
    }
  });
}

/** Checks that observations are 0 to 1, overwrite exactly their range, and default to the mover's view. */
export function checkObservations<State>(run: GameRun<State>): void {
  const { game, list } = run;
  walk(run, (state, place) => {
    const expected = observe(game, state);
    const outside = expected.findIndex((value) => !(value >= 0 && value <= 1));
    if (outside !== -1) {
      list.end('game-observation-range', `expected 0 to 1, got ${expected[outside]!} at [${outside}]`, place);
    }
    const out = new Float32Array(expected.length + 2 * MARGIN).fill(MARK);
    game.observe(state, out, MARGIN);
    const stale = firstDifference(out.slice(MARGIN, -MARGIN), expected);
    list.expectSame('game-observation-partial', stale, place);
    if ([...out.subarray(0, MARGIN), ...out.subarray(-MARGIN)].some((value) => value !== MARK)) {
      list.end('game-observation-partial', `expected ${expected.length} numbers written, got more`, place);
    }
    const mover = observe(game, state, game.currentPlayer(state));
    list.expectSame('game-observation-viewer', firstDifference(expected, mover), place);
  });
}

/** Checks that policy indices and actions map one to one, for both players. */
export function checkPolicyIndices<State>(run: GameRun<State>): void {
  const { game, list } = run;
  walk(run, (state, place) => {
    const actions = listActions(game, state);
    for (const player of [0, 1] as const) {
      const indices = actions.map((action) => game.policyIndex(player, action));
      const outside = indices.find((index) => index < 0 || index >= game.numActions);
      if (outside !== undefined) {
        list.end('game-policy-index', `expected 0 to ${game.numActions - 1}, got ${outside}`, place);
      }
      const back = indices.map((index) => game.actionOfPolicyIndex(player, index));
      list.expectSame('game-policy-index', firstDifference(back, actions), place);
    }
  });
}

/** Checks that symmetries are different permutations, and that the first is the identity. */
export function checkPermutations<State>(game: Game<State>, list: FindingList): void {
  const [rows, columns] = game.observationShape;
  for (const { name, squares, policyIndices } of game.symmetries) {
    expectPermutation(list, `squares of ${name}`, squares, rows * columns);
    expectPermutation(list, `policyIndices of ${name}`, policyIndices, game.numActions);
  }
  const [identity] = game.symmetries;
  const isFixed = (numbers: Uint16Array): boolean => numbers.every((to, from) => to === from);
  if (identity === undefined || !isFixed(identity.squares) || !isFixed(identity.policyIndices)) {
    list.end('game-symmetry-permutation', `expected the identity first, got ${identity?.name ?? 'none'}`);
  }
  const squares = game.symmetries.map((symmetry) => symmetry.squares.join());
  const twice = squares.findIndex((text, index) => squares.indexOf(text) !== index);
  if (twice !== -1) {
    list.end('game-symmetry-permutation', `expected each once, got ${game.symmetries[twice]!.name} again`);
  }
}

function expectPermutation(list: FindingList, what: string, numbers: Uint16Array, length: number): void {
  const isComplete = new Set(numbers).size === length && numbers.every((number) => number < length);
  if (numbers.length === length && isComplete) return;
  list.end('game-symmetry-permutation', `expected ${what} to be each of 0 to ${length - 1} once, got others`);
}

/**
 * Checks that symmetries preserve play: the mirrored game has the mirrored legal actions and observations,
 * and the same result from the view of the player to move at its end.
 */
export function checkSymmetries<State>(run: GameRun<State>): void {
  const { game, list, episode, actions } = run;
  const place = { episode, step: actions.length };
  const state = walk(run, () => undefined);
  const player = game.currentPlayer(state);
  for (const symmetry of game.symmetries) {
    const mirrored = mirroredStart(run, symmetry, player);
    if (mirrored === null) {
      list.skip(
        `symmetry ${symmetry.name}: the initial state is not symmetric, and no mirroredStart is given`,
      );
      continue;
    }
    const mirror = (index: number): number => symmetry.policyIndices[index]!;
    for (const [step, action] of listHistory(game, state).entries()) {
      const image = game.actionOfPolicyIndex(player, mirror(game.policyIndex(player, action)));
      if (!game.isLegal(mirrored, image)) {
        const text = `expected ${symmetry.name} to map action ${action} to a legal one, got ${image}`;
        list.end('game-symmetry', text, { episode, step });
      }
      game.apply(mirrored, image);
    }
    const found = mirrorView(game, mirrored, player);
    const seen = mirrorView(game, state, player);
    const expected = {
      outcome: seen.outcome,
      policyIndices: seen.policyIndices.map(mirror).sort(),
      observation: mirrorPlanes(game, seen.observation, symmetry),
    };
    const difference = firstDifference(found, expected);
    list.expectSame('game-symmetry', difference === null ? null : `${symmetry.name}: ${difference}`, place);
  }
}

interface MirrorView {
  readonly outcome: number | null;
  readonly policyIndices: Int32Array;
  readonly observation: Float32Array;
}

function mirrorView<State>(game: Game<State>, state: State, player: Player): MirrorView {
  return {
    outcome: game.outcome(state),
    policyIndices: listActions(game, state)
      .map((action) => game.policyIndex(player, action))
      .sort(),
    observation: observe(game, state, player),
  };
}

function mirrorPlanes<State>(game: Game<State>, planes: Float32Array, { squares }: Symmetry): Float32Array {
  const numPlanes = game.observationShape[2];
  const mirrored = new Float32Array(planes.length);
  squares.forEach((to, from) => {
    mirrored.set(planes.subarray(from * numPlanes, (from + 1) * numPlanes), to * numPlanes);
  });
  return mirrored;
}

/** The image of the initial state under the symmetry; null if unknown. */
function mirroredStart<State>(
  { game, known }: GameRun<State>,
  symmetry: Symmetry,
  player: Player,
): State | null {
  if (known.mirroredStart !== undefined) return known.mirroredStart(symmetry, player);
  const start = game.initialState();
  const seen = observe(game, start, player);
  return firstDifference(mirrorPlanes(game, seen, symmetry), seen) === null ? start : null;
}
