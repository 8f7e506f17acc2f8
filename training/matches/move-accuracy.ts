import * as z from 'zod';
import type { Agent } from '../../agents/agent.js';
import { createRng } from '../../env/random.js';
import { chooseForAll } from '../play/choices.js';
import { bestValue, isDecisive, type SolvedPosition } from './solved-positions.js';

/** Positions that the agent is given at once. */
const TURNS_AT_ONCE = 64;

/** How often an agent chooses a best move. */
export const MoveAccuracy = z.strictObject({
  /** The agent's text, with its defaults. */
  agent: z.string(),
  positions: z.int().min(0),
  /** Positions in which its move preserves the value: a win, a draw, or any move in a lost position. */
  best: z.int().min(0),
  /** Positions whose moves differ in value. */
  decisive: z.int().min(0),
  /** Decisive positions in which its move is one of the best. */
  bestOfDecisive: z.int().min(0),
});
export type MoveAccuracy = z.infer<typeof MoveAccuracy>;

/**
 * Measures how often an agent chooses a best move in solved positions. Moves are compared by win, draw and loss, not by
 * the length of the game.
 *
 * @param seed of the agent's random streams.
 * @param onPosition called with the number of positions done.
 */
export async function measureAccuracy(
  agent: Agent<unknown>,
  positions: readonly SolvedPosition[],
  seed: number,
  onPosition?: (done: number) => void,
): Promise<MoveAccuracy> {
  const { game, name } = agent;
  let best = 0;
  let bestOfDecisive = 0;
  for (let first = 0; first < positions.length; first += TURNS_AT_ONCE) {
    const asked = positions.slice(first, first + TURNS_AT_ONCE);
    const turns = asked.map(({ position }, index) => ({
      state: game.parsePosition(position),
      rng: createRng(seed, 'accuracy', first + index),
    }));
    const choices = await chooseForAll(agent, turns, (done) => onPosition?.(first + done));
    for (const [index, position] of asked.entries()) {
      if (position.values.get(choices[index]!.action) !== bestValue(position)) continue;
      best += 1;
      if (isDecisive(position)) bestOfDecisive += 1;
    }
    onPosition?.(first + asked.length);
  }
  const decisive = positions.filter(isDecisive).length;
  return { agent: name, positions: positions.length, best, decisive, bestOfDecisive };
}
