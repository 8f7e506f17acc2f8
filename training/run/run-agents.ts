import { createGame } from '../../env/games.js';
import { CodedError } from '../../env/errors.js';
import type { RunConfig } from '../config/run-config.js';
import { expectAgent } from '../export/open-agent.js';
import { expectTeacher } from '../self-play/teacher.js';
import { TrainingError } from '../training-error.js';

/** Agents that a run's settings name and the run will use, by the settings' paths; a begun run has its warm start. */
function agentsOf(
  { warmStart, evaluation, selfPlay }: RunConfig,
  isNew: boolean,
): ReadonlyMap<string, string> {
  const agents = new Map<string, string>();
  if (isNew && warmStart.games > 0) agents.set('warmStart.agent', warmStart.agent);
  if (selfPlay.teacher !== undefined) agents.set('selfPlay.teacher', selfPlay.teacher);
  if (evaluation.every > 0) {
    for (const [index, text] of evaluation.opponents.entries()) {
      agents.set(`evaluation.opponents.${index}`, text);
    }
  }
  return agents;
}

/**
 * Opens each agent that the settings of a run name, so that a missing model or an agent that cannot play the game
 * shows now, and not hours later.
 *
 * @throws TrainingError `config-invalid` with the setting's path.
 */
export async function expectAgents(config: RunConfig, { isNew }: { readonly isNew: boolean }): Promise<void> {
  const game = createGame(config.game.id, config.game.rules);
  for (const [path, text] of agentsOf(config, isNew)) {
    try {
      if (path === 'selfPlay.teacher') await expectTeacher(text, config.game);
      else await expectAgent(text, game);
    } catch (error) {
      if (!(error instanceof CodedError)) throw error;
      throw new TrainingError('config-invalid', `${error.message}, at ${path}`, { cause: error });
    }
  }
}
