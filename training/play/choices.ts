import type { Agent, Choice, Turn } from '../../agents/agent.js';
import type { ImmediateAgent } from '../../agents/immediate/immediate-agent.js';
import { nextTask } from '../../agents/next-task.js';

function isImmediate<State>(agent: Agent<State>): agent is ImmediateAgent<State> {
  return 'choose' in agent;
}

/** Turns that an agent gets at once; a tree search holds a tree for each. */
const TURNS_AT_ONCE = 64;

/**
 * Lets an agent choose for many items, as `chooseForAll` does, some at a time: yields the choices of each part.
 *
 * @param onChoice called with the number of choices made.
 */
export async function* chooseInParts<State, Item>(
  agent: Agent<State>,
  items: readonly Item[],
  turnOf: (item: Item, index: number) => Turn<State>,
  onChoice?: (done: number) => void,
): AsyncGenerator<readonly Choice[]> {
  for (let first = 0; first < items.length; first += TURNS_AT_ONCE) {
    const part = items.slice(first, first + TURNS_AT_ONCE);
    const turns = part.map((item, index) => turnOf(item, first + index));
    yield await chooseForAll(agent, turns, (done) => onChoice?.(first + done));
    onChoice?.(first + part.length);
    // Lets this process answer its parent even if the agent never waits.
    await nextTask();
  }
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
