import { CodedError } from '../env/errors.js';

/** Machine-readable causes of an agent's text or a model file that cannot be used. */
export type AgentErrorCode =
  | 'agent-syntax'
  | 'agent-unknown'
  | 'agent-option'
  | 'agent-game'
  | 'model-missing'
  | 'model-unreadable'
  | 'model-mismatch'
  | 'model-not-finite';

/** Thrown when a text does not name an agent, or a model file does not hold a network for the game. */
export class AgentError extends CodedError<AgentErrorCode> {
  override readonly name = 'AgentError';
}
