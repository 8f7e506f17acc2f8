import type { Game } from '../../env/game.js';

/** Everything observable of a state, its history included: equal before and after if the state is unchanged. */
export function stateSnapshot<State>(game: Game<State>, state: State): unknown {
  const packed = new Uint8Array(game.packedSize);
  game.pack(state, packed, 0);
  return {
    position: game.formatPosition(state),
    packed: [...packed],
    hashes: [game.hash(state), game.observationHash(state)],
    ply: game.ply(state),
    outcome: game.outcome(state),
    history: Array.from({ length: game.historyLength(state) }, (_, i) => game.historyAction(state, i)),
  };
}
