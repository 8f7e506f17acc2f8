import { type Game, listActions } from '../../game.js';
import type { TurnEnvironment } from '../environment.js';
import { firstDifference } from './difference.js';
import { type EnvRun, playOn } from './env-run.js';
import type { Place } from './finding.js';
import { observe } from './game-run.js';
import { turnSubject } from './subject.js';

/** The game of an environment. */
export interface RulesToCompare {
  readonly game: Game<unknown>;
  /** The ply at which an episode is truncated. Defaults to the game's. */
  readonly plyLimit?: number | undefined;
}

/** Checks that legal actions, turns, rewards, ends and observations are those of the game. */
export function checkRules(run: EnvRun, create: () => TurnEnvironment<unknown>, rules: RulesToCompare): void {
  const { game } = rules;
  const env = create();
  for (let episode = 0; episode < run.episodes; episode++) {
    env.reset(episode === 0 ? { seed: run.seed } : {});
    const state = game.initialState();
    const subject = turnSubject(env);
    const following = {
      ...subject,
      step: (action: number | null) => {
        subject.step(action);
        if (action !== null) game.apply(state, action);
      },
    };
    playOn(run, following, {
      episode,
      visit: (place) => {
        if (env.agents.length === 0) return;
        expectEnds(run, { env, state, rules }, place);
        expectPosition(run, { env, state, rules }, place);
      },
    });
  }
}

interface Compared {
  readonly env: TurnEnvironment<unknown>;
  readonly state: unknown;
  readonly rules: RulesToCompare;
}

function expectEnds({ list }: EnvRun, { env, state, rules }: Compared, place: Place): void {
  const { game, plyLimit = game.plyLimit } = rules;
  const outcome = game.outcome(state);
  const terminated = outcome !== null;
  const truncated = !terminated && game.ply(state) >= plyLimit;
  const agent = env.agentSelection;
  const found = { terminated: env.terminations[agent], truncated: env.truncations[agent] };
  list.expectSame('rules-ended', firstDifference(found, { terminated, truncated }), place);
  // After an agent has left, rewards have been paid.
  if (env.agents.length < env.possibleAgents.length) return;
  const [first, second] = game.playerNames;
  const rewards = { [first]: outcome ?? 0, [second]: -(outcome ?? 0) };
  list.expectSame('rules-rewards', firstDifference({ ...env.rewards }, rewards, ['rewards']), place);
}

function expectPosition({ list }: EnvRun, { env, state, rules: { game } }: Compared, place: Place): void {
  const { info, terminated, truncated, observation } = env.last();
  const player = game.currentPlayer(state);
  if (env.agents.length === env.possibleAgents.length) {
    const found = { agent: env.agentSelection, ply: info.ply };
    const expected = { agent: game.playerNames[player], ply: game.ply(state) };
    list.expectSame('rules-turn', firstDifference(found, expected), place);
  }
  if (terminated || truncated) return;
  list.expectSame('rules-actions', firstDifference(info.legalActions, listActions(game, state)), place);
  const planes = (observation as { readonly observation?: unknown } | null)?.observation;
  const seen = observe(game, state);
  // Wrappers may change the form of observations.
  if (!(planes instanceof Float32Array) || planes.length !== seen.length) return;
  list.expectSame('rules-observation', firstDifference(planes, seen, ['observation']), place);
}
