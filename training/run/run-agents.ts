import { createGame } from '../../env/games.js';
import { CodedError } from '../../env/errors.js';
import type { RunConfig } from '../config/run-config.js';
import { expectAgent } from '../export/open-agent.js';
import { expectTeacher } from '../self-play/teacher.js';
import { TrainingError } from '../training-error.js';

/** Checks of the agents that the run will use, by the settings' paths; a begun run has its warm start. */
function checksOf(
  { game: { id, rules }, warmStart, evaluation, selfPlay }: RunConfig,
  isNew: boolean,
): ReadonlyMap<string, () => Promise<void>> {
  const game = createGame(id, rules);
  const checks = new Map<string, () => Promise<void>>();
  if (isNew && warmStart.games > 0) checks.set('warmStart.agent', () => expectAgent(warmStart.agent, game));
  checks.set('selfPlay.teacher', () => expectTeacher(selfPlay.teacher, { id, rules }));
  if (evaluation.every > 0) {
    for (const [index, text] of evaluation.opponents.entries()) {
      checks.set(`evaluation.opponents.${index}`, () => expectAgent(text, game));
    }
  }
  return checks;
}

/**
 * Opens each agent that the settings of a run name, so that a missing model or an agent that cannot play the game
 * shows now, and not hours later.
 *
 * @throws TrainingError `config-invalid` with the setting's path.
 */
export async function expectAgents(config: RunConfig, { isNew }: { readonly isNew: boolean }): Promise<void> {
  for (const [path, check] of checksOf(config, isNew)) {
    try {
      await check();
    } catch (error) {
      if (!(error instanceof CodedError)) throw error;
      throw new TrainingError('config-invalid', `${error.message}, at ${path}`, { cause: error });
    }
  }
}
