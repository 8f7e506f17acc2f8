import type { Game } from '../../env/game.js';

/** All that can be seen of a state, history included: equal before and after what leaves it alone. */
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
