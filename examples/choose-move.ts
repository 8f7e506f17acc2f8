// Chooses moves with an exported model, without search: node dist/examples/choose-move.js models/gess "f6-f7 p15-m12"
// Each further argument is a game, whose next move is printed; without one, the first move.
// ONNX Runtime Web also runs in browsers.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createGame } from 'gess-zero';
import { type Action, type Game, gameWithPlanes } from 'gess-zero/env/game';
import { env, InferenceSession, Tensor } from 'onnxruntime-web';

/** The position after moves that are separated by spaces. */
function positionAfter<State>(game: Game<State>, moves: string): State {
  const state = game.initialState();
  for (const text of moves.split(' ').filter((word) => word !== '')) {
    const action = game.parseAction(text);
    if (!game.isLegal(state, action)) throw new Error(`expected a legal move, got ${text}`);
    game.apply(state, action);
  }
  return state;
}

/** The legal action with the greatest logit; undefined if the game is over. */
async function chooseMove<State>(
  session: InferenceSession,
  game: Game<State>,
  state: State,
): Promise<Action | undefined> {
  const buffer = new Int32Array(game.maxLegalActions);
  const actions = buffer.subarray(0, game.legalActions(state, buffer));
  if (actions.length === 0) return undefined;
  // The network sees the board and the actions from the view of the player to move.
  const player = game.currentPlayer(state);
  const legal = actions.map((action) => game.policyIndex(player, action));
  const planes = new Float32Array(game.observationShape.reduce((product, length) => product * length));
  game.observe(state, planes, 0);
  const outputs = await session.run({
    observation: new Tensor('float32', planes, [1, ...game.observationShape]),
    legal: new Tensor('int32', legal, [1, legal.length]),
  });
  const logits = outputs['legalLogits']!.data as Float32Array;
  return actions[logits.indexOf(Math.max(...logits))];
}

env.wasm.numThreads = 1;
const [folder = 'models/gess', ...games] = process.argv.slice(2);
const text = await readFile(join(folder, 'spec.json'), 'utf8');
const spec = JSON.parse(text) as { game: string; rules: string; network: { movePlanes?: boolean } };
const game = gameWithPlanes(createGame(spec.game, spec.rules), spec.network.movePlanes === true);
if (game === null) throw new Error(`expected a game with planes of moves, got ${spec.game}`);
const session = await InferenceSession.create(await readFile(join(folder, 'model-legal.onnx')));
for (const moves of games.length > 0 ? games : ['']) {
  const action = await chooseMove(session, game, positionAfter(game, moves));
  console.log(action === undefined ? 'the game is over' : game.formatAction(action));
}
