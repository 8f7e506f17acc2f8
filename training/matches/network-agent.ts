import { escapeOption } from '../../agents/agent-spec.js';
import { checkpointModelPath } from '../checkpoints/checkpoint-files.js';

/** The text of the agent that plays the network of the checkpoint in that folder. */
export function networkAgent(checkpoint: string, simulations: number): string {
  return `mcts:model=${escapeOption(checkpointModelPath(checkpoint))},simulations=${simulations}`;
}
