import type { Evaluation } from '../env/definition/evaluation.js';
import type { Game } from '../env/game.js';
import { quote } from '../env/text/quoted-text.js';
import type { Agent } from './agent.js';
import { AgentError } from './agent-error.js';
import type { EngineOptions } from './agent-spec.js';
import type { ModelOpener } from './evaluators/inference-session.js';

/** Opens an agent in another program. */
export type EngineOpener = <State>(options: EngineOptions, game: Game<State>) => Promise<Agent<State>>;

/**
 * Opens the network of an alpha-beta agent.
 *
 * @param path as written in the text: the folder of a pattern network, or the name of a shipped one.
 * @throws AgentError `model-missing`, `model-mismatch`; errors of its own.
 */
export type EvaluationOpener = <State>(path: string, game: Game<State>) => Promise<Evaluation<State>>;

/** Functions that open the networks that an agent's text names. An agent whose function is absent is refused. */
export interface NetworkOpeners {
  /** Opens networks of tree searches and policies; in Node `openModelFile` of `training/export/model-file.ts`. */
  readonly openModel?: ModelOpener | undefined;
  /** Opens pattern networks; in Node `openPatternNetwork` of `training/inference/pattern-file.ts`. */
  readonly openEvaluation?: EvaluationOpener | undefined;
}

/** Functions that open what an agent's text names. */
export interface AgentOpeners<OpenEngine = EngineOpener> extends NetworkOpeners {
  /** Opens agents in other programs; in Node see `openAgent` of `training/export/open-agent.ts`. */
  readonly openEngine?: OpenEngine | undefined;
}

/** Used if the caller has no function that opens networks. */
export function refuseNetworks(path: string): Promise<never> {
  return Promise.reject(
    new AgentError(
      'model-unreadable',
      `expected createAgent to be called with a function that opens models, for ${quote(path)}; got none`,
    ),
  );
}

/** The error of a caller that has no function that opens engines. */
export function refuseEngines({ cmd }: EngineOptions): never {
  throw new AgentError('agent-engine', `expected an agent that runs no other program, got ${quote(cmd)}`);
}
