import { formatAgentText } from '../../agents/text/option-list.js';
import type { PlayOptions } from '../../agents/play-options.js';
import { checkpointModelPath } from '../checkpoints/checkpoint-files.js';

/** The text of the MCTS agent that uses the network in a checkpoint's folder. */
export function networkAgent(
  checkpoint: string,
  simulations: number,
  { precision, ...play }: PlayOptions = {},
): string {
  return formatAgentText('mcts', { model: checkpointModelPath(checkpoint, precision), simulations, ...play });
}
