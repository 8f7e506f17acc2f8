import { z } from 'zod';
import type { Agent } from '../../agents/agent.js';
import { createRng } from '../../env/random.js';
import { bestValue, isDecisive, type SolvedPosition } from './solved-positions.js';

/** Positions that the agent is asked about together. */
const TURNS_AT_ONCE = 64;

/** How often an agent picks a move that a perfect player may play. */
export const MoveAccuracy = z.strictObject({
  /** The agent's text, defaults filled in. */
  agent: z.string(),
  positions: z.int().min(0),
  /** Positions in which its move gets the most that can be got: a win, or else a draw, or any move of a lost position. */
  best: z.int().min(0),
  /** Positions in which some move gets less than another. */
  decisive: z.int().min(0),
  /** Of these, those in which its move gets the most. */
  bestOfDecisive: z.int().min(0),
});
export type MoveAccuracy = z.infer<typeof MoveAccuracy>;

/**
 * Asks an agent for a move in each of the positions. What it moves is compared by win, draw and loss, not by how soon
 * a game ends.
 *
 * @param seed makes the agent's random streams.
 * @param onPosition told how many positions are done.
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
    const choices = await agent.chooseAll(
      asked.map(({ position }, index) => ({
        state: game.parsePosition(position),
        rng: createRng(seed, 'accuracy', first + index),
      })),
    );
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
