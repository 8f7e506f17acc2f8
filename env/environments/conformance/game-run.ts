import { type Action, type Game, listActions, type Player, type Symmetry } from '../../game.js';
import type { FindingList, Place } from './finding.js';
import { sizeOfShape } from '../../spaces/shape.js';

/** Facts about a game besides its rules. */
export interface GameKnowledge<State> {
  /**
   * The image of the initial state under a symmetry, in the squares as `viewer` numbers them: `s` goes to
   * `symmetry.squares[s]`. Without it, only symmetries that preserve the initial state are checked.
   */
  readonly mirroredStart?: ((symmetry: Symmetry, viewer: Player) => State) | undefined;
  /** Whether position texts omit earlier boards that bar moves. */
  readonly textForgetsBoards?: boolean | undefined;
  /** Whether packed bytes omit earlier boards that bar moves. */
  readonly packingForgetsBoards?: boolean | undefined;
}

/** A played game for checks along its positions. */
export interface GameRun<State> {
  readonly game: Game<State>;
  readonly known: GameKnowledge<State>;
  readonly list: FindingList;
  readonly actions: readonly Action[];
  readonly episode: number;
}

/** Plays the game and visits all its positions, including the first and the last. */
export function walk<State>(run: GameRun<State>, visit: (state: State, place: Place) => void): State {
  const { game, actions, episode } = run;
  const state = game.initialState();
  for (const [step, action] of actions.entries()) {
    visit(state, { episode, step });
    game.apply(state, action);
  }
  visit(state, { episode, step: actions.length });
  return state;
}

/** The result of `observe`, in a new array. */
export function observe<State>(game: Game<State>, state: State, viewer?: Player): Float32Array {
  const out = new Float32Array(sizeOfShape(game.observationShape));
  game.observe(state, out, 0, viewer);
  return out;
}

/** The result of `pack`, in a new array. */
export function pack<State>(game: Game<State>, state: State): Uint8Array {
  const bytes = new Uint8Array(game.packedSize);
  game.pack(state, bytes, 0);
  return bytes;
}

/** The unpacked state. */
export function unpack<State>(game: Game<State>, bytes: Uint8Array): State {
  const state = game.initialState();
  game.unpack(bytes, 0, state);
  return state;
}

/** The undoable actions, the oldest first. */
export function listHistory<State>(game: Game<State>, state: State): Action[] {
  return Array.from({ length: game.historyLength(state) }, (_, index) => game.historyAction(state, index));
}

/** Everything a position shows, without its history. */
export function positionView<State>(game: Game<State>, state: State): Readonly<Record<string, unknown>> {
  return {
    player: game.currentPlayer(state),
    ply: game.ply(state),
    outcome: game.outcome(state),
    legalActions: listActions(game, state),
    observation: observe(game, state),
  };
}

/** Everything a state shows. */
export function stateView<State>(game: Game<State>, state: State): Readonly<Record<string, unknown>> {
  return {
    ...positionView(game, state),
    history: listHistory(game, state),
    hash: game.hash(state),
    observationHash: game.observationHash(state),
    text: game.formatPosition(state),
    packed: pack(game, state),
  };
}
