import * as z from 'zod';
import type { Agent, Turn } from '../../agents/agent.js';
import { createRng } from '../../env/random.js';
import { chooseInParts } from '../play/choices.js';
import { bestValue, isDecisive, type SolvedPosition } from './solved-positions.js';

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
  let measured = 0;
  const turnOf = ({ position }: SolvedPosition, index: number): Turn<unknown> => ({
    state: game.parsePosition(position),
    rng: createRng(seed, 'accuracy', index),
  });
  for await (const choices of chooseInParts(agent, positions, turnOf, onPosition)) {
    for (const { action } of choices) {
      const position = positions[measured++]!;
      if (position.values.get(action) !== bestValue(position)) continue;
      best += 1;
      if (isDecisive(position)) bestOfDecisive += 1;
    }
  }
  const decisive = positions.filter(isDecisive).length;
  return { agent: name, positions: positions.length, best, decisive, bestOfDecisive };
}
