import type { Game } from '../../env/game.js';
import { sizeOfShape } from '../../env/spaces/shape.js';
import type { TrainingGame } from './training-game.js';

/**
 * Counts the plies of one game since its last event: a change of the number of squares that a player holds, such as a
 * capture.
 */
export class QuietWatch<State> {
  /** Plies since the last event, or since the start of the game. */
  plies = 0;
  private readonly game: Game<State>;
  /** `[R, C, P]` scratch. */
  private readonly planes: Float32Array;
  /** Squares held by player 0 and by player 1. */
  private held: readonly [number, number];

  /** @param state from which the game starts. */
  constructor(game: Game<State>, state: State) {
    this.game = game;
    this.planes = new Float32Array(sizeOfShape(game.observationShape));
    this.held = this.countHeld(state);
  }

  /** Notes a move, after which the game is at `state`. */
  note(state: State): void {
    const held = this.countHeld(state);
    const isEvent = held[0] !== this.held[0] || held[1] !== this.held[1];
    this.plies = isEvent ? 0 : this.plies + 1;
    this.held = held;
  }

  private countHeld(state: State): readonly [number, number] {
    const { game, planes } = this;
    const { own, opponent } = game.encoding.holders;
    game.observe(state, planes, 0, 0);
    const size = game.observationShape[2];
    const held: [number, number] = [0, 0];
    for (const [player, ofPlayer] of [own, opponent].entries()) {
      for (let square = 0; square < planes.length; square += size) {
        if (ofPlayer.some((plane) => planes[square + plane]! > 0)) held[player]! += 1;
      }
    }
    return held;
  }
}

/**
 * Notes the last move of a game, and adjudicates the game if it has been quiet for `limit` plies.
 *
 * @param quiet the watch of this game; null: the game is never adjudicated.
 */
export function adjudicateIfQuiet<State>(
  record: TrainingGame<State>,
  quiet: QuietWatch<State> | null,
  limit: number,
): void {
  if (quiet === null || record.isOver) return;
  quiet.note(record.state);
  if (quiet.plies >= limit) record.adjudicate(quiet.plies);
}
