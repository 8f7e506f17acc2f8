import { type Action, type Game, listActions } from '../../env/game.js';
import { createRng } from '../../env/random.js';

/** Plies of the games from which positions are taken. */
const SAMPLE_PLIES = 40;
const SAMPLE_GAMES = 20;

/** The legal moves that do not end the game. */
function openMoves(game: Game<unknown>, state: unknown): readonly Action[] {
  return [...listActions(game, state)].filter((action) => !endsGame(game, state, action));
}

/** A position as the moves from the start, and how many of the legal moves of the start are legal in it. */
interface Sample {
  readonly moves: string;
  readonly shared: number;
}

/** The positions of a random game that does not end. */
function randomGame(game: Game<unknown>, seed: number, first: readonly Action[]): readonly Sample[] {
  const state = game.initialState();
  const rng = createRng(seed, 'compliance');
  const moves: string[] = [];
  const samples: Sample[] = [];
  for (let open = first; open.length > 0 && samples.length < SAMPLE_PLIES; open = openMoves(game, state)) {
    const shared = first.filter((action) => game.isLegal(state, action)).length;
    samples.push({ moves: moves.join(' '), shared });
    const action = open[rng.integer(open.length)]!;
    moves.push(game.formatAction(action));
    game.apply(state, action);
  }
  return samples;
}

/**
 * The moves from the start to some positions: the first plies of a game, and positions of others in which most moves of
 * the start are illegal, so that an engine that ignores the moves is detected.
 */
export function samplePositions(game: Game<unknown>): readonly string[] {
  const first = openMoves(game, game.initialState());
  const games = Array.from({ length: SAMPLE_GAMES }, (_, seed) => randomGame(game, seed, first));
  const farthest = games
    .map((samples) => samples.reduce((best, sample) => (sample.shared < best.shared ? sample : best)))
    .sort((one, other) => one.shared - other.shared);
  return [...games[0]!.slice(0, 3), ...farthest.slice(0, 4)].map(({ moves }) => moves);
}

function endsGame(game: Game<unknown>, state: unknown, action: Action): boolean {
  game.apply(state, action);
  const isOver = game.countLegalActions(state) === 0;
  game.undo(state);
  return isOver;
}

/** The moves of a finished game: each player plays the first move that ends the game, or else the first legal move. */
export function finishedGame(game: Game<unknown>): string {
  const state = game.initialState();
  const moves: string[] = [];
  for (let actions = listActions(game, state); actions.length > 0; actions = listActions(game, state)) {
    const action = actions.find((one) => endsGame(game, state, one)) ?? actions[0]!;
    moves.push(game.formatAction(action));
    game.apply(state, action);
  }
  return moves.join(' ');
}
