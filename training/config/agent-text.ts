import * as z from 'zod';
import { parseAgentSpec } from '../../agents/agent-spec.js';
import { mustParse } from './parse-check.js';

/** The text of an agent, such as `alphabeta:depth=2`. */
export const AgentText = z.string().superRefine(mustParse(parseAgentSpec));
