import { drawCarefulAction } from '../../agents/careful.js';
import { createGess } from '../../env/gess/gess.js';
import { createRng } from '../../env/random.js';
import { TurnEnv } from '../../env/environments/turn-env.js';
import { timePerSecond } from './timing.js';

const STEPS = 2_000;

/** What the env section of `gess bench` prints. */
export interface EnvironmentRates {
  /** Steps of the agent-by-agent environment, observation and mask each. */
  readonly stepsPerSecond: number;
  readonly legalActionsPerSecond: number;
  /** Moves played and taken back, over all legal moves of 32 positions of a game. */
  readonly movesPerSecond: number;
  readonly observeMicroseconds: number;
}

/** Rates of the rules and of the environment around them, of Gess. */
export function benchEnv(): EnvironmentRates {
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
  const playAndUndo = (): number => {
    let moves = 0;
    for (const state of states) {
      const count = game.legalActions(state, out);
      for (let i = 0; i < count; i++) {
        game.apply(state, out[i]!);
        game.undo(state);
      }
      moves += count;
    }
    return moves;
  };
  const planes = new Float32Array(game.observationShape.reduce((product, size) => product * size));
  const observe = (): number => {
    for (let i = 0; i < STEPS; i++) game.observe(states[i % states.length]!, planes, 0);
    return STEPS;
  };
  return {
    stepsPerSecond: timePerSecond(play),
    legalActionsPerSecond: timePerSecond(list),
    movesPerSecond: timePerSecond(playAndUndo),
    observeMicroseconds: Math.round(1e8 / timePerSecond(observe)) / 100,
  };
}
