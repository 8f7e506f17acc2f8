import { drawCarefulAction } from '../../agents/careful.js';
import { createGess } from '../../env/gess/gess.js';
import { countPositions } from '../../env/perft.js';
import { createRng } from '../../env/random.js';
import { TurnEnv } from '../../env/turn-env.js';
import { timePerSecond } from './timing.js';

/** Perft(3) of Gess from the start. */
const PERFT_3 = 60_574_502;
const STEPS = 2_000;

/** Positions counted a second at depth 3 from the start; the last ply is counted in bulk. */
export function benchPerft(): { nodesPerSecond: number } {
  const game = createGess();
  const state = game.initialState();
  const count = (): number => {
    const nodes = countPositions(game, state, 3);
    if (nodes !== PERFT_3) throw new Error(`perft(3) is ${nodes}, expected ${PERFT_3}`);
    return nodes;
  };
  return { nodesPerSecond: timePerSecond(count) };
}

/** Steps of the agent-by-agent environment a second, observation and mask each, and legal actions listed. */
export function benchEnv(): { stepsPerSecond: number; legalActionsPerSecond: number } {
  const game = createGess();
  const env = new TurnEnv(game);
  const rng = createRng(1, 'bench');
  const play = (): number => {
    env.reset({ seed: 1 });
    for (let step = 0; step < STEPS; step++) {
      const { info, terminated, truncated } = env.last();
      if (terminated || truncated) env.reset();
      else env.step(info.legalActions[env.rng.integer(info.legalActions.length)]!);
    }
    return STEPS;
  };
  const states = Array.from({ length: 32 }, (_, plies) => {
    const state = game.initialState();
    for (let ply = 0; ply < plies && game.outcome(state) === null; ply++) {
      game.apply(state, drawCarefulAction(game, state, rng));
    }
    return state;
  });
  const out = new Int32Array(game.maxLegalActions);
  const list = (): number => {
    let actions = 0;
    for (let i = 0; i < STEPS; i++) actions += game.legalActions(states[i % states.length]!, out);
    return actions;
  };
  return { stepsPerSecond: timePerSecond(play), legalActionsPerSecond: timePerSecond(list) };
}
