import { basename, isAbsolute, resolve } from 'node:path';
import { modelOfAgent, networkOfAgent } from '../../agents/agent-spec.js';
import { formatAgentText, parseOptions, splitAgentText } from '../../agents/text/option-list.js';
import type { Game } from '../../env/game.js';
import { createGame } from '../../env/games.js';
import { playOptionsOf } from '../../training/config/groups/evaluation-config.js';
import { shippedModelFile } from '../../training/export/shipped-models.js';
import { shippedPatterns } from '../../training/inference/package-models.js';
import type { LadderPlayer } from '../../training/matches/ladder/ladder-file.js';
import { modelDigest } from '../../training/matches/ladder/model-digest.js';
import { networkAgent } from '../../training/matches/network-agent.js';
import { expectAgent } from '../../training/export/open-agent.js';
import { expectRunFile } from '../../training/run/run-folder.js';
import { listCheckpoints, runPaths } from '../../training/run/run-paths.js';
import { MOST_PLAYERS } from '../../training/statistics/ratings.js';
import { TrainingError } from '../../training/training-error.js';

/**
 * The text of an agent with the path of its model or pattern network made absolute, so that it holds in any working
 * directory.
 *
 * @throws AgentError `agent-syntax`, `agent-option`, `agent-unknown`.
 */
function withAbsolutePath(text: string): string {
  const model = modelOfAgent(text);
  const network = networkOfAgent(text);
  const isModelPath = model !== null && !isAbsolute(model) && shippedModelFile(model) === undefined;
  const isNetworkPath = network !== null && !isAbsolute(network) && shippedPatterns(network) === undefined;
  if (!isModelPath && !isNetworkPath) return text;
  const { kind, list } = splitAgentText(text);
  return formatAgentText(kind, {
    ...Object.fromEntries(parseOptions(text, list!)),
    ...(isModelPath && { model: resolve(model) }),
    ...(isNetworkPath && { network: resolve(network) }),
  });
}

/**
 * A fixed agent as a player.
 *
 * @throws AgentError for its text or its model.
 */
export async function fixedPlayer(text: string): Promise<LadderPlayer> {
  const agent = withAbsolutePath(text);
  return { name: text, agent, series: null, generation: null, modelSha256: await modelDigest(agent) };
}

/** The checkpoints of a run that play, and their search. */
export interface CheckpointOptions {
  /** Generations that are multiples of this. */
  readonly every: number;
  /** Simulations per move; undefined: those of the run's matches. */
  readonly simulations?: number | undefined;
}

/**
 * The checkpoints of a run as players, which play as in the run's own matches.
 *
 * @throws TrainingError `ladder-player` for a run of another game; `run-missing`, `run-damaged`; DataError for its
 *   files.
 */
export async function playersOfRun(
  folder: string,
  game: Game<unknown>,
  { every, simulations }: CheckpointOptions,
): Promise<readonly LadderPlayer[]> {
  const { config } = await expectRunFile(folder);
  const { id, rules } = createGame(config.game.id, config.game.rules);
  if (id !== game.id || rules !== game.rules) {
    throw new TrainingError(
      'ladder-player',
      `expected a run of ${game.id} ${game.rules} in ${folder}, found one of ${id} ${rules}`,
    );
  }
  const paths = runPaths(resolve(folder));
  const generations = (await listCheckpoints(paths)).filter((generation) => generation % every === 0);
  return Promise.all(
    generations.map(async (generation): Promise<LadderPlayer> => {
      const agent = networkAgent(
        paths.checkpoint(generation),
        simulations ?? config.evaluation.simulations,
        playOptionsOf(config.evaluation),
      );
      const series = basename(paths.folder);
      const name = `${series}/${basename(paths.checkpoint(generation))}`;
      return { name, agent, series, generation, modelSha256: await modelDigest(agent) };
    }),
  );
}

/**
 * Adds players that are not in the list yet.
 *
 * @throws TrainingError `ladder-player` for a player that differs from the existing one of the same name, and for more
 *   than `MOST_PLAYERS`; AgentError for an agent that cannot be created.
 */
export async function joinPlayers(
  players: readonly LadderPlayer[],
  candidates: readonly LadderPlayer[],
  game: Game<unknown>,
): Promise<readonly LadderPlayer[]> {
  const joined = [...players];
  for (const candidate of candidates) {
    const known = joined.find(({ name }) => name === candidate.name);
    if (known === undefined) {
      if (joined.length === MOST_PLAYERS) {
        const found = `expected at most ${MOST_PLAYERS} players in a ladder, got ${candidate.name} beside them`;
        throw new TrainingError('ladder-player', found);
      }
      await expectAgent(candidate.agent, game);
      joined.push(candidate);
    } else if (known.agent !== candidate.agent || known.modelSha256 !== candidate.modelSha256) {
      throw new TrainingError(
        'ladder-player',
        `expected ${known.agent} (model ${known.modelSha256 ?? 'none'}) for player ${known.name} of the ladder, got ` +
          `${candidate.agent} (model ${candidate.modelSha256 ?? 'none'})`,
      );
    }
  }
  return joined;
}
