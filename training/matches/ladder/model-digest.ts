import { networkOfAgent } from '../../../agents/agent-spec.js';
import { AgentError } from '../../../agents/agent-error.js';
import { readInput, readInputIfThere } from '../../../data/files/input-file.js';
import { sha256 } from '../../../data/files/sealed-json.js';
import { quote } from '../../../env/text/quoted-text.js';
import { agentModelPath } from '../../export/model-file.js';
import { patternsFolder } from '../../inference/package-models.js';
import { patternWeightsPath } from '../../inference/pattern-file.js';

/** @throws AgentError `model-missing`; DataError `file-unreadable`, `file-too-large`. */
async function digestOfPatterns(network: string): Promise<string> {
  const path = patternWeightsPath(patternsFolder(network));
  const weights = await readInputIfThere(path, 'weights');
  if (weights !== null) return sha256(weights);
  throw new AgentError('model-missing', `expected a pattern network at ${quote(path)}`);
}

/**
 * SHA-256 of the file of an agent's model or pattern network; of both digests, one after the other, for an agent with
 * both; null for an agent without one.
 *
 * @throws AgentError `agent-*`, `model-missing`; DataError `file-unreadable`, `file-too-large`.
 */
export async function modelDigest(agent: string): Promise<string | null> {
  const digests: string[] = [];
  const model = await agentModelPath(agent);
  if (model !== null) digests.push(sha256(await readInput(model, 'model')));
  const network = networkOfAgent(agent);
  if (network !== null) digests.push(await digestOfPatterns(network));
  return digests.length > 1 ? sha256(digests.join('')) : (digests[0] ?? null);
}
