import { networkOfAgent, parseAgentSpec } from '../../../agents/agent-spec.js';
import { AgentError } from '../../../agents/agent-error.js';
import { readInput, readInputIfThere } from '../../../data/files/input-file.js';
import { sha256 } from '../../../data/files/sealed-json.js';
import { quote } from '../../../env/text/quoted-text.js';
import { modelPath } from '../../export/model-file.js';
import { patternsFolder } from '../../export/shipped-models.js';
import { patternWeightsPath } from '../../inference/pattern-file.js';

/**
 * SHA-256 of the file of an agent's model or pattern network; null for an agent without one.
 *
 * @throws AgentError `agent-*`, `model-missing`; DataError `file-unreadable`, `file-too-large`.
 */
export async function modelDigest(agent: string): Promise<string | null> {
  const network = networkOfAgent(agent);
  if (network !== null) {
    const path = patternWeightsPath(patternsFolder(network));
    const weights = await readInputIfThere(path, 'weights');
    if (weights === null)
      throw new AgentError('model-missing', `expected a pattern network at ${quote(path)}`);
    return sha256(weights);
  }
  const { options } = parseAgentSpec(agent);
  if (!('model' in options) || options.model === undefined) return null;
  return sha256(await readInput(await modelPath(options.model, options.precision), 'model'));
}
