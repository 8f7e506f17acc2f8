import type { EngineOptions } from '../../agents/agent-spec.js';
import type { Agent } from '../../agents/agent.js';
import { createAgent } from '../../agents/create-agent.js';
import { createThinker } from '../../agents/thinking/create-thinker.js';
import type { Thinker } from '../../agents/thinking/thinking.js';
import type { Game } from '../../env/game.js';
import { openPatternNetwork } from '../inference/pattern-file.js';
import { openModelFile } from './model-file.js';
import { ForeignEngine } from '../play/engines/foreign-engine.js';

/** Starts the program that an agent's text names. */
function openEngine<State>(options: EngineOptions, game: Game<State>): Promise<ForeignEngine<State>> {
  return ForeignEngine.open(options, game);
}

/** Opens the files that agents' texts name. */
export const FILE_OPENERS = { openModel: openModelFile, openEvaluation: openPatternNetwork } as const;

/**
 * Creates the agent that a text describes, with models from files and engines in their own processes. The caller
 * disposes of it.
 *
 * @throws errors of `createAgent`, `openModelFile` and `ForeignEngine.open`.
 */
export function openAgent<State>(text: string, game: Game<State>): Promise<Agent<State>> {
  return createAgent(text, game, { ...FILE_OPENERS, openEngine });
}

/**
 * Opens an agent for the time of `use`, and disposes of it.
 *
 * @throws errors of `openAgent` and `use`.
 */
export async function withAgent<State, Result>(
  text: string,
  game: Game<State>,
  use: (agent: Agent<State>) => Promise<Result>,
): Promise<Result> {
  const agent = await openAgent(text, game);
  try {
    return await use(agent);
  } finally {
    await agent.dispose();
  }
}

/**
 * Opens an agent and closes it again, so that a missing model or an agent that cannot play the game shows before any
 * work.
 *
 * @throws errors of `openAgent`.
 */
export async function expectAgent(text: string, game: Game<unknown>): Promise<void> {
  await withAgent(text, game, () => Promise.resolve());
}

/**
 * Creates the thinker of the agent that a text describes, as `openAgent` does.
 *
 * @throws errors of `openAgent`.
 */
export function openThinker<State>(text: string, game: Game<State>): Promise<Thinker<State>> {
  return createThinker(text, game, { ...FILE_OPENERS, openEngine });
}
