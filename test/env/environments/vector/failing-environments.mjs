// Loaded by processes of vectors under test: environments that fail in ways that no other does.
import { connectFour } from '../../../../dist/env/connect-four/connect-four.js';

/** Connect Four in which some columns end badly. */
const failing = {
  ...connectFour,
  id: 'failing',
  apply(state, action) {
    if (action === 5) throw new TypeError('column 5 is broken');
    if (action === 6) process.exit(7);
    connectFour.apply(state, action);
  },
};

export default { id: 'failing', create: () => failing, environments: { 'test/Failing-v0': {} } };

/** Always the leftmost column that is not full. */
export function createOpponent(text, game) {
  const legal = new Int32Array(game.maxLegalActions);
  return {
    name: text,
    choose: (state) => {
      game.legalActions(state, legal);
      return legal[0];
    },
  };
}
