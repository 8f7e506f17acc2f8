import { nextTask } from '../../agents/next-task.js';
import { drawCarefulAction } from '../../agents/immediate/careful-agent.js';
import type { Game } from '../../env/game.js';
import { createGess } from '../../env/gess/gess.js';
import type { GessPosition } from '../../env/gess/gess-position.js';
import type { VectorInfos } from '../../env/environments/vector/vector-environment.js';
import { make } from '../../env/environments/make.js';
import { makeVec } from '../../env/environments/vector/make-vec.js';
import { makeProcessVec, type ProcessOptions } from '../../env/environments/vector/process-vector-env.js';
import { createRng } from '../../env/random.js';
import { timeAsyncPerSecond, timePerSecond } from './timing.js';
import { sizeOfShape } from '../../env/spaces/shape.js';

const STEPS = 2_000;
const NUM_ENVS = 8;
const PROCESSES = 2;
const THREADED_ENVS = 64;

/** Results of the env section of `gess bench`, per second. */
export interface EnvironmentRates {
  /**
   * Steps of random play, agent by agent: reset, `last`, planes, mask, a sampled legal action, step. Resets are not
   * counted. Arrays are the environment's own (`copy: false`).
   */
  readonly stepsPerSecond: number;
  /** The same with new arrays at each step, the default. */
  readonly copiedStepsPerSecond: number;
  /** The same for a player that reads the planes, but not the mask. */
  readonly maskFreeStepsPerSecond: number;
  /** The same for a player that reads neither. */
  readonly unreadStepsPerSecond: number;
  /** The same for a player that reads the planes and draws its action by the mask instead of `legalActions`. */
  readonly maskedStepsPerSecond: number;
  /** Steps of all environments of a vector of 8, observations in the vector's own arrays. */
  readonly vectorStepsPerSecond: number;
  /** The same over 2 processes. */
  readonly processVectorStepsPerSecond: number;
  /** The same for a vector of 64 on 1 thread, and on 2; observations in shared memory. */
  readonly oneThreadStepsPerSecond: number;
  readonly twoThreadsStepsPerSecond: number;
  readonly legalActionsPerSecond: number;
  /** Moves applied and undone, over all legal moves of 32 positions of a game. */
  readonly movesPerSecond: number;
  readonly observeMicroseconds: number;
}

/** Observations of the player of `createPlay`, and what it reads of them. */
interface Reading {
  /** Whether arrays are new at each step, or the environment's own. */
  readonly copy: boolean;
  readonly planes: boolean;
  readonly mask: boolean;
  /** Whether the action is drawn by the mask instead of `legalActions`. */
  readonly drawsByMask?: boolean;
}

/** Returns a function that plays `STEPS` steps through the agent-by-agent environment. */
export function createPlay({ copy, planes, mask, drawsByMask = false }: Reading): () => number {
  const env = make('gess/Gess', { copy });
  const space = env.actionSpace(env.possibleAgents[0]!);
  const rng = createRng(1, 'bench');
  env.reset({ seed: 1 });
  return () => {
    for (let step = 0; step < STEPS;) {
      const { observation, info, terminated, truncated } = env.last();
      if (terminated || truncated) {
        env.reset();
        continue;
      }
      // Planes and mask are computed when they are read.
      if (planes && observation.observation.length === 0) throw new Error('no planes');
      if (mask && observation.actionMask.length === 0) throw new Error('no mask');
      const allowed = drawsByMask ? { mask: observation.actionMask } : { legalActions: info.legalActions };
      env.step(space.sample(rng, allowed));
      step += 1;
    }
    return STEPS;
  };
}

const VECTOR = { autoreset: 'same-step', copy: false } as const;
const VECTOR_STEPS = 50;

function chooseAtRandom(): (infos: VectorInfos) => number[] {
  const rng = createRng(1, 'bench');
  return ({ legalActions }) => legalActions.map((legal) => legal[rng.integer(legal.length)]!);
}

async function benchProcesses(numEnvs: number, options: ProcessOptions): Promise<number> {
  const choose = chooseAtRandom();
  const envs = await makeProcessVec('gess/Gess', { ...VECTOR, numEnvs }, options);
  try {
    let told = await envs.reset({ seed: 1 });
    return await timeAsyncPerSecond(async () => {
      for (let step = 0; step < VECTOR_STEPS; step++) told = await envs.step(choose(told.infos));
      return VECTOR_STEPS * numEnvs;
    });
  } finally {
    await envs.close();
  }
}

function benchVector(): number {
  const choose = chooseAtRandom();
  const envs = makeVec('gess/Gess', { ...VECTOR, numEnvs: NUM_ENVS });
  let told = envs.reset({ seed: 1 });
  return timePerSecond(() => {
    for (let step = 0; step < VECTOR_STEPS; step++) told = envs.step(choose(told.infos));
    return VECTOR_STEPS * NUM_ENVS;
  });
}

/** 32 positions of one game of Gess, after 0 to 31 moves. */
function createPositions(game: Game<GessPosition>): readonly GessPosition[] {
  const rng = createRng(1, 'bench');
  return Array.from({ length: 32 }, (_, plies) => {
    const state = game.initialState();
    for (let ply = 0; ply < plies && game.outcome(state) === null; ply++) {
      game.apply(state, drawCarefulAction(game, state, rng));
    }
    return state;
  });
}

/** Returns a function that lists the legal actions of `STEPS` positions and returns their number. */
export function createListing(): () => number {
  const game = createGess();
  const states = createPositions(game);
  const out = new Int32Array(game.maxLegalActions);
  return () => {
    let actions = 0;
    for (let i = 0; i < STEPS; i++) actions += game.legalActions(states[i % states.length]!, out);
    return actions;
  };
}

/** The rate of `work` in a task of its own: signals are handled before. */
async function timeInTask(work: () => number): Promise<number> {
  await nextTask();
  return timePerSecond(work);
}

/** Measures the rules and the environments of Gess. */
export async function benchEnv(): Promise<EnvironmentRates> {
  const game = createGess();
  const states = createPositions(game);
  const out = new Int32Array(game.maxLegalActions);
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
  const planes = new Float32Array(sizeOfShape(game.observationShape));
  const observe = (): number => {
    for (let i = 0; i < STEPS; i++) game.observe(states[i % states.length]!, planes, 0);
    return STEPS;
  };
  return {
    stepsPerSecond: await timeInTask(createPlay({ copy: false, planes: true, mask: true })),
    copiedStepsPerSecond: await timeInTask(createPlay({ copy: true, planes: true, mask: true })),
    maskFreeStepsPerSecond: await timeInTask(createPlay({ copy: true, planes: true, mask: false })),
    unreadStepsPerSecond: await timeInTask(createPlay({ copy: true, planes: false, mask: false })),
    maskedStepsPerSecond: await timeInTask(
      createPlay({ copy: true, planes: true, mask: true, drawsByMask: true }),
    ),
    vectorStepsPerSecond: benchVector(),
    processVectorStepsPerSecond: await benchProcesses(NUM_ENVS, { processes: PROCESSES }),
    oneThreadStepsPerSecond: await benchProcesses(THREADED_ENVS, { processes: 1, threads: true }),
    twoThreadsStepsPerSecond: await benchProcesses(THREADED_ENVS, { processes: 2, threads: true }),
    legalActionsPerSecond: await timeInTask(createListing()),
    movesPerSecond: await timeInTask(playAndUndo),
    observeMicroseconds: Math.round(1e8 / (await timeInTask(observe))) / 100,
  };
}
