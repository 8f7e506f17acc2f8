/**
 * Uses a game from outside the package: registers it, checks it and its environment with the conformance kit, and plays
 * a match of the tree search against random play.
 *
 *   npm run build && node dist/examples/play-tic-tac-toe.js [games] [seed]
 */
import { createAgent } from 'gess-zero/agents/create-agent';
import { assertConforms, checkGame, checkTurnEnvironment } from 'gess-zero/env/conformance';
import { make } from 'gess-zero/env/environments/make';
import { registerGame } from 'gess-zero/env/games';
import { createRng } from 'gess-zero/env/random';
import definition from './tic-tac-toe.js';

const ticTacToe = definition.create({ rules: 'default' });
registerGame(definition);
assertConforms(checkGame(ticTacToe));
assertConforms(checkTurnEnvironment(() => make('example/TicTacToe')));
console.log('tic-tac-toe conforms');

const [games = 20, seed = 1] = process.argv.slice(2).map(Number);
const mcts = await createAgent('mcts:simulations=200', ticTacToe);
const random = await createAgent('random', ticTacToe);
const results = { won: 0, drawn: 0, lost: 0 };
for (let game = 0; game < games; game++) {
  const rng = createRng(seed, 'match', game);
  // The agents alternate in moving first.
  const agents = game % 2 === 0 ? [mcts, random] : [random, mcts];
  const state = ticTacToe.initialState();
  while (ticTacToe.outcome(state) === null) {
    const [choice] = await agents[ticTacToe.currentPlayer(state)]!.chooseAll([{ state, rng }]);
    ticTacToe.apply(state, choice!.action);
  }
  const toMcts = ticTacToe.outcome(state)! * (game % 2 === 0 ? 1 : -1);
  results[toMcts > 0 ? 'won' : toMcts < 0 ? 'lost' : 'drawn'] += 1;
}
console.log(`mcts against random: ${results.won} won, ${results.drawn} drawn, ${results.lost} lost`);
