import { AgentError } from '../../../agents/agent-error.js';
import { TrainingError } from '../../training-error.js';
import type { MatchServices } from '../match-run.js';
import { runMatch } from '../match-run.js';
import type { MatchSettings } from '../match-settings.js';
import type { Ladder, LadderPlayer } from './ladder-file.js';
import type { LadderFolder } from './ladder-folder.js';
import { type LadderPair, missingPairs, withMatch } from './ladder-pairs.js';
import { modelDigest } from './model-digest.js';

/** The services of playing a ladder. */
export interface LadderServices extends Pick<MatchServices, 'processes' | 'play' | 'onReport' | 'signal'> {
  /** A match begins; `left` more are known to follow. */
  readonly onMatch: (first: LadderPlayer, second: LadderPlayer, left: number) => void;
  /** A player's model no longer exists: its missing matches are left out. */
  readonly onGone: (player: LadderPlayer) => void;
}

/** Settings of the match of a pair. */
function settingsOfPair(ladder: Ladder, { first, second }: LadderPair): MatchSettings {
  const { game, seed, openings, timeMarginMs, games, players } = ladder;
  const [agent, opponent] = [players[first]!.agent, players[second]!.agent];
  return { game, agent, opponent, games, seed, openings, timeMarginMs, sprt: null };
}

/** Knows which players' models are the ones that joined the ladder. */
class Models {
  private readonly isThere = new Map<string, boolean>();
  private readonly onGone: LadderServices['onGone'];

  constructor(onGone: LadderServices['onGone']) {
    this.onGone = onGone;
  }

  /**
   * Whether the player can play.
   *
   * @throws TrainingError `ladder-changed` if its model is another one now.
   */
  async has(player: LadderPlayer): Promise<boolean> {
    const known = this.isThere.get(player.name);
    if (known !== undefined) return known;
    const digest = await this.digestOf(player);
    this.isThere.set(player.name, digest === player.modelSha256);
    if (digest === player.modelSha256) return true;
    if (digest === undefined) {
      this.onGone(player);
      return false;
    }
    throw new TrainingError(
      'ladder-changed',
      `expected the model of player ${player.name} to have SHA-256 ${player.modelSha256 ?? 'none'}, found ` +
        `${digest ?? 'none'}: another model is another player`,
    );
  }

  /** Undefined for a missing model. */
  private async digestOf({ agent }: LadderPlayer): Promise<string | null | undefined> {
    try {
      return await modelDigest(agent);
    } catch (error) {
      if (error instanceof AgentError && error.code === 'model-missing') return undefined;
      throw error;
    }
  }
}

/**
 * Plays the missing matches of a ladder, one after another; each game and each result is on disk as it ends.
 *
 * @returns the ladder, and whether all matches of its format are played that can be.
 * @throws TrainingError `ladder-changed`; as `runMatch`, `MatchFolder.open` and `LadderFolder.write` do.
 */
export async function runLadder(
  folder: LadderFolder,
  start: Ladder,
  services: LadderServices,
): Promise<{ readonly ladder: Ladder; readonly finished: boolean }> {
  const models = new Models(services.onGone);
  let ladder = start;
  for (;;) {
    const pairs: LadderPair[] = [];
    for (const pair of missingPairs(ladder)) {
      const { first, second } = pair;
      if ((await models.has(ladder.players[first]!)) && (await models.has(ladder.players[second]!))) {
        pairs.push(pair);
      }
    }
    const [pair] = pairs;
    if (pair === undefined) return { ladder, finished: true };
    if (services.signal?.aborted === true) return { ladder, finished: false };
    const { first, second } = pair;
    services.onMatch(ladder.players[first]!, ladder.players[second]!, pairs.length - 1);
    const settings = settingsOfPair(ladder, pair);
    const match = await folder.openMatch(first, second, settings);
    const { finished, result } = await runMatch(settings, {
      ...services,
      finished: await match.finishedGames(),
      keep: (game) => match.add(game),
    });
    if (!finished || result === null) return { ladder, finished: false };
    ladder = withMatch(ladder, { first, second, games: settings.games, result });
    await folder.write(ladder);
  }
}
