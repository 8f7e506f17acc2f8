import type { Action, Game, Player, Symmetry } from '../../game.js';
import type { FindingList, Place } from './finding.js';
import { listActions } from './game-play.js';
import { sizeOfShape } from '../../spaces/shape.js';

/** What is known of a game besides its rules. */
export interface GameKnowledge<State> {
  /**
   * The initial state with what lies on the square that `viewer` sees as `s` put where it sees
   * `symmetry.squares[s]`. Left out, symmetries are checked where they leave the initial state as it is.
   */
  readonly mirroredStart?: ((symmetry: Symmetry, viewer: Player) => State) | undefined;
  /** Whether earlier boards that bar moves are left out of a position's text. */
  readonly textForgetsBoards?: boolean | undefined;
  /** Whether earlier boards that bar moves are left out of packed bytes. */
  readonly packingForgetsBoards?: boolean | undefined;
}

/** One played game that a game is checked along. */
export interface GameRun<State> {
  readonly game: Game<State>;
  readonly known: GameKnowledge<State>;
  readonly list: FindingList;
  readonly actions: readonly Action[];
  readonly episode: number;
}

/** Plays the game and shows every position of it, the first and the last too. */
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

/** What `observe` writes, in a new array of zeros. */
export function observe<State>(game: Game<State>, state: State, viewer?: Player): Float32Array {
  const out = new Float32Array(sizeOfShape(game.observationShape));
  game.observe(state, out, 0, viewer);
  return out;
}

/** What `pack` writes. */
export function pack<State>(game: Game<State>, state: State): Uint8Array {
  const bytes = new Uint8Array(game.packedSize);
  game.pack(state, bytes, 0);
  return bytes;
}

/** A state of packed bytes. */
export function unpack<State>(game: Game<State>, bytes: Uint8Array): State {
  const state = game.initialState();
  game.unpack(bytes, 0, state);
  return state;
}

/** The actions that can be taken back, the oldest first. */
export function listHistory<State>(game: Game<State>, state: State): Action[] {
  return Array.from({ length: game.historyLength(state) }, (_, index) => game.historyAction(state, index));
}

/** What a position tells, without how it came about. */
export function positionView<State>(game: Game<State>, state: State): Readonly<Record<string, unknown>> {
  return {
    player: game.currentPlayer(state),
    ply: game.ply(state),
    outcome: game.outcome(state),
    legalActions: listActions(game, state),
    observation: observe(game, state),
  };
}

/** All that can be asked of a state. */
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
