import { z } from 'zod';
import { parseAgentSpec } from '../../agents/agent-spec.js';
import { mustParse } from './parse-check.js';

/** The text of an agent. */
export const AgentText = z.string().superRefine(mustParse(parseAgentSpec));
