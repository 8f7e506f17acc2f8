import type * as z from 'zod';
import { AgentText } from './agent-text.js';
import { SelfPlayConfig } from './self-play-config.js';

/** Self-play of a run, with an agent that may judge its positions. Games with a teacher stay on the machine of the run. */
export const TaughtSelfPlayConfig = SelfPlayConfig.extend({
  teacher: AgentText.optional().meta({
    description:
      'agent whose moves and values are learnt in the positions that are searched in full; absent: those of the search',
  }),
});
export type TaughtSelfPlayConfig = z.infer<typeof TaughtSelfPlayConfig>;
