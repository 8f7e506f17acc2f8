import type { Command, CommandUnknownOpts } from '@commander-js/extra-typings';
import type { Agent } from '../../../agents/agent.js';
import type { Game } from '../../../env/game.js';
import type { GessPosition } from '../../../env/gess/gess-position.js';
import { createGess } from '../../../env/gess/gess.js';
import { openAgent } from '../../../training/export/open-agent.js';
import { describeStory } from '../../inspection/gess-study/story-text.js';
import { type GessStudy, studyGess } from '../../inspection/gess-study/gess-study.js';
import { describeStudy } from '../../inspection/gess-study/study-text.js';
import { expectNoIdleOptions } from '../../options/idle-options.js';
import type { Output } from '../../output.js';
import { createProgress } from '../../progress/progress.js';
import { listingNotes } from '../../progress/listing-notes.js';
import { UsageError } from '../../usage/usage-error.js';

/** @throws UsageError for an agent that values no positions; errors of `openAgent`. */
async function openJudge(
  command: CommandUnknownOpts,
  text: string | undefined,
  game: Game<GessPosition>,
): Promise<Agent<GessPosition> | undefined> {
  if (text === undefined) return undefined;
  if (/^(policy|mcts|alphabeta):/.test(text)) return openAgent(text, game);
  throw new UsageError(
    command,
    'option-value',
    'expected --agent with values, of policy, mcts or alphabeta, such as policy:model=gess',
  );
}

async function studyWith(
  output: Output,
  data: readonly string[],
  game: Game<GessPosition>,
  agent: Agent<GessPosition> | undefined,
): Promise<GessStudy> {
  const progress = createProgress(output, '');
  try {
    return await studyGess(data, game, { agent, progress, ...listingNotes(output) });
  } finally {
    progress.stop();
    await agent?.dispose();
  }
}

/** `gess study`: facts about played games of Gess, for players. */
export function defineStudy(command: Command, output: Output): void {
  const study = command
    .argument('<data...>', 'shards of games of Gess, or their folders')
    .option('--rules <text>', 'rules of those games', 'eureka')
    .option('--agent <text>', 'also take each stone off a position of each game, and judge it by this agent')
    .option('--list', 'print a line for each game instead')
    .option('--json', 'print one JSON object');
  study.action(async (data, flags) => {
    if (flags.json === true) expectNoIdleOptions(study, ['list'], 'without --json');
    const game = createGess({ rules: flags.rules });
    const found = await studyWith(output, data, game, await openJudge(study, flags.agent, game));
    if (flags.json === true) output.result(JSON.stringify(found));
    else output.result(flags.list === true ? describeStory(found.games) : describeStudy(found));
  });
}
