import {
  type AgentSpec,
  formatAgentSpec,
  modelOfAgent,
  namesProgram,
  networkOfAgent,
  parseAgentSpec,
} from '../../../../agents/agent-spec.js';
import type { PlayOptions } from '../../../../agents/play-options.js';
import { TrainingError } from '../../../training-error.js';

/** Prefix of the name of a model that is identified by its digest. */
const SCHEME = 'sha256:';

/**
 * The agent's text, in canonical form, with the file of another model, which has one precision.
 *
 * @param playOptions options of the model, which the text's own options override.
 */
export function withModel(text: string, model: string, playOptions?: PlayOptions): string {
  const spec = parseAgentSpec(text, playOptions);
  return formatAgentSpec({ ...spec, options: { ...spec.options, model, precision: undefined } } as AgentSpec);
}

/** `withModel` for other machines: names the model by its SHA-256. */
export function withContent(text: string, digest: string, playOptions?: PlayOptions): string {
  return withModel(text, `${SCHEME}${digest}`, playOptions);
}

/**
 * The SHA-256 of the model of an agent's text from another machine; null if it has none. A coordinator does not choose
 * which files a worker opens, or which programs it runs.
 *
 * @throws TrainingError `pool-content` for the path of a file, for a pattern network, and for an agent that runs in
 *   another program.
 */
export function digestOfAgent(text: string): string | null {
  if (namesProgram(text)) {
    throw new TrainingError(
      'pool-content',
      'expected an agent of this program, found one in another program',
    );
  }
  if (networkOfAgent(text) !== null) {
    throw new TrainingError(
      'pool-content',
      'expected an agent without a pattern network, found one with its path',
    );
  }
  const model = modelOfAgent(text);
  if (model === null) return null;
  if (model.startsWith(SCHEME)) return model.slice(SCHEME.length);
  throw new TrainingError('pool-content', 'expected the model of an agent by its SHA-256, found a path');
}
