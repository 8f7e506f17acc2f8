import * as z from 'zod';
import { namesProgram } from '../../agents/agent-spec.js';
import { AgentError } from '../../agents/agent-error.js';
import { mustParse } from './parse-check.js';

/** @throws AgentError for a text that names no agent, or one in another program. */
function expectOwnAgent(text: string): void {
  if (!namesProgram(text)) return;
  throw new AgentError(
    'agent-engine',
    'expected an agent of this program: files cannot name programs to run',
  );
}

/** The text of an agent, such as `alphabeta:depth=2`. Other programs are named on the command line only. */
export const AgentText = z.string().superRefine(mustParse(expectOwnAgent));
