import type { Agent } from '../../../agents/agent.js';
import { createAgent } from '../../../agents/create-agent.js';
import { createGame } from '../../../env/games.js';
import { createRng } from '../../../env/random.js';
import { FILE_OPENERS } from '../../../training/export/open-agent.js';
import { readBook } from '../../../training/openings/opening-book.js';
import { shippedBook } from '../../../training/openings/shipped-books.js';
import { peakMegabytes } from '../measured.js';
import { processorMs } from '../timing.js';

/** Time limit of a move, and the number of positions. */
export const LIMIT_MS = 1000;
const POSITIONS = 10;

/** The two players of a match, and the unit of their work. */
const AGENTS = [
  { name: 'alphaBeta', text: `alphabeta:timeMs=${LIMIT_MS}`, work: 'nodes' },
  { name: 'network', text: `mcts:model=gess,timeMs=${LIMIT_MS}`, work: 'simulations' },
] as const;
/** Name of a player. */
export type TimedAgent = (typeof AGENTS)[number]['name'];

/** Searches of one player with a time limit. */
export interface TimedWork {
  /** Nodes or simulations of a move. */
  readonly workPerMove: number;
  /** The same for a second of processor time. */
  readonly workPerProcessorSecond: number;
  /** Mean and longest time of a move. */
  readonly meanMs: number;
  readonly longestMs: number;
}

/** Searches of both players in one process; plain JSON. */
export interface TimedSearches {
  readonly work: Readonly<Record<TimedAgent, TimedWork>>;
  /** Peak memory of the process. */
  readonly peakMegabytes: number;
}

async function measureAgent(
  agent: Agent<unknown>,
  states: readonly unknown[],
  work: 'nodes' | 'simulations',
): Promise<TimedWork> {
  // The first search compiles and allocates.
  await agent.chooseAll([{ state: agent.game.clone(states[0]), rng: createRng(1, 'bench') }]);
  let [done, totalMs, longestMs] = [0, 0, 0];
  const startProcessorMs = processorMs();
  for (const [index, state] of states.entries()) {
    const startMs = performance.now();
    const [choice] = await agent.chooseAll([
      { state: agent.game.clone(state), rng: createRng(1, 'bench', index) },
    ]);
    const ms = performance.now() - startMs;
    totalMs += ms;
    longestMs = Math.max(longestMs, ms);
    done += choice!.statistics![work]!;
  }
  return {
    workPerMove: done / states.length,
    workPerProcessorSecond: (1000 * done) / (processorMs() - startProcessorMs),
    meanMs: totalMs / states.length,
    longestMs,
  };
}

/** Measures both players, in turn, on openings from the book of Gess. */
export async function measureTimedSearches(): Promise<TimedSearches> {
  const game = createGame('gess', 'eureka');
  const { openings } = await readBook((await shippedBook(game))!);
  const states = openings.slice(0, POSITIONS).map((line) => {
    const state = game.initialState();
    for (const action of line) game.apply(state, action);
    return state;
  });
  const work: Partial<Record<TimedAgent, TimedWork>> = {};
  for (const { name, text, work: unit } of AGENTS) {
    const agent = await createAgent(text, game, FILE_OPENERS);
    try {
      work[name] = await measureAgent(agent, states, unit);
    } finally {
      await agent.dispose();
    }
  }
  return {
    work: work as Record<TimedAgent, TimedWork>,
    peakMegabytes: peakMegabytes(),
  };
}
