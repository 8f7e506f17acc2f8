import type { Agent, Choice, Turn } from '../../agents/agent.js';
import type { ImmediateAgent } from '../../agents/immediate/immediate-agent.js';
import { nextTask } from '../../agents/next-task.js';

function isImmediate<State>(agent: Agent<State>): agent is ImmediateAgent<State> {
  return 'choose' in agent;
}

/**
 * Lets an agent choose for all turns, as `agent.chooseAll` does. Between two choices of a synchronous agent, this
 * process handles messages, so that a ping or the end of its parent need not wait for the end of a game.
 *
 * @param onChoice called with the number of choices made.
 */
export async function chooseForAll<State>(
  agent: Agent<State>,
  turns: readonly Turn<State>[],
  onChoice?: (done: number) => void,
): Promise<readonly Choice[]> {
  if (!isImmediate(agent)) return agent.chooseAll(turns);
  const choices: Choice[] = [];
  for (const turn of turns) {
    choices.push(agent.choose(turn));
    onChoice?.(choices.length);
    await nextTask();
  }
  return choices;
}
