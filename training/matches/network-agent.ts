import { escapeOption } from '../../agents/agent-spec.js';
import { checkpointModelPath } from '../checkpoints/checkpoint-files.js';

/** The text of the MCTS agent that uses the network in a checkpoint's folder. */
export function networkAgent(checkpoint: string, simulations: number): string {
  return `mcts:model=${escapeOption(checkpointModelPath(checkpoint))},simulations=${simulations}`;
}
