import { networkOfAgent, parseAgentSpec } from '../../../agents/agent-spec.js';
import { readInput } from '../../../data/files/input-file.js';
import { sha256 } from '../../../data/files/sealed-json.js';
import { modelPath } from '../../export/model-file.js';
import { patternsFolder } from '../../export/shipped-models.js';
import { patternWeightsPath } from '../../inference/pattern-file.js';

/**
 * SHA-256 of the file of an agent's model; null for an agent without one.
 *
 * @throws AgentError `agent-*`, `model-missing`; DataError `file-unreadable`, `file-too-large`.
 */
export async function modelDigest(agent: string): Promise<string | null> {
  const network = networkOfAgent(agent);
  if (network !== null) {
    return sha256(await readInput(patternWeightsPath(patternsFolder(network)), 'weights'));
  }
  const { options } = parseAgentSpec(agent);
  if (!('model' in options) || options.model === undefined) return null;
  return sha256(await readInput(await modelPath(options.model, options.precision), 'model'));
}
