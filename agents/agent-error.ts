import { CodedError } from '../env/errors.js';

/** Machine-readable causes of errors in agents' texts and in models. */
export type AgentErrorCode =
  | 'agent-syntax'
  | 'agent-unknown'
  | 'agent-option'
  | 'agent-game'
  | 'agent-engine'
  | 'model-missing'
  | 'model-unreadable'
  | 'model-mismatch'
  | 'model-not-finite';

/** Thrown if a text does not describe an agent of the game, or a model is not a network for it. */
export class AgentError extends CodedError<AgentErrorCode> {
  override readonly name = 'AgentError';
  /** 1 for a model that is damaged or gives no numbers, 2 for an invalid text or one that names a wrong model. */
  override readonly exitCode = this.code === 'model-unreadable' || this.code === 'model-not-finite' ? 1 : 2;
}
