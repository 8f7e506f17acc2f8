import * as z from 'zod';
import { namesProgram } from '../../../agents/agent-spec.js';
import { CodedError } from '../../../env/errors.js';

/** Why a run cannot have this agent; null if it can. Other programs are named on the command line only. */
function problemOf(text: string): string | null {
  try {
    return namesProgram(text) ? 'expected an agent of this program: files cannot name programs to run' : null;
  } catch (error) {
    if (error instanceof CodedError) return error.message;
    throw error;
  }
}

/** The text of an agent of this program, such as `alphabeta:depth=2`. */
export const AgentText = z.string().superRefine((text, context) => {
  const message = problemOf(text);
  // Checks that combine settings need a sound text: zod skips them after this problem.
  if (message !== null) context.addIssue({ code: 'custom', message, continue: false });
});
