import { AgentError } from '../../../agents/agent-error.js';
import { TrainingError } from '../../training-error.js';
import type { MatchServices } from '../match-run.js';
import { runMatch } from '../match-run.js';
import type { MatchSettings } from '../match-settings.js';
import type { Ladder, LadderPlayer } from './ladder-file.js';
import type { LadderFolder } from './ladder-folder.js';
import { type LadderPair, missingPairs, withMatch } from './ladder-pairs.js';
import { modelDigest } from './model-digest.js';

/** The services that playing a ladder uses. */
export interface LadderServices extends Pick<MatchServices, 'processes' | 'play' | 'onReport' | 'signal'> {
  /** Called when a match begins, with the number of further matches known so far. */
  readonly onMatch: (first: LadderPlayer, second: LadderPlayer, left: number) => void;
  /** Called with a player whose model no longer exists; its missing matches are skipped. */
  readonly onGone: (player: LadderPlayer) => void;
}

/** Settings of the match of a pair. */
function settingsOfPair(ladder: Ladder, { first, second }: LadderPair): MatchSettings {
  const { game, seed, openings, timeMarginMs, games, players } = ladder;
  const [agent, opponent] = [players[first]!.agent, players[second]!.agent];
  return { game, agent, opponent, games, seed, openings, timeMarginMs, sprt: null };
}

/** Checks that the players' models still exist and have not changed since they joined the ladder. */
class Models {
  private readonly isThere = new Map<string, boolean>();
  private readonly onGone: LadderServices['onGone'];

  constructor(onGone: LadderServices['onGone']) {
    this.onGone = onGone;
  }

  /**
   * Whether the player can play.
   *
   * @throws TrainingError `ladder-changed` if its model has changed.
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
 * Plays the missing matches of a ladder, one after another. Each game and each result is written to disk when it ends.
 *
 * @returns the ladder, and whether all possible matches of its format have been played.
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
    const { finished, result } = await runMatch(settings, { ...services, ...(await match.services()) });
    if (!finished || result === null) return { ladder, finished: false };
    ladder = withMatch(ladder, { first, second, games: settings.games, result });
    await folder.write(ladder);
  }
}
