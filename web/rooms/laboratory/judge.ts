import type { Agent } from '../../../agents/agent.js';
import { NetworkEvaluator } from '../../../agents/evaluators/network-evaluator.js';
import { createRandomAgent } from '../../../agents/immediate/random-agent.js';
import { MctsAgent } from '../../../agents/mcts/mcts-agent.js';
import { nextTask } from '../../../agents/next-task.js';
import { PolicyAgent } from '../../../agents/policy-agent.js';
import type { Action } from '../../../env/game.js';
import { createRng } from '../../../env/random.js';
import { openTensorSession } from '../../../training/network/tensor-session.js';
import type { GamePlan } from '../../../training/matches/match-game.js';
import { playGames } from '../../../training/matches/match-play.js';
import { networkShape } from '../../../training/network/network-shape.js';
import { networkOf } from '../../../training/network/network.js';
import { drawOpening } from '../../../training/play/opening.js';
import type { RunTools } from './learning-run.js';
import { NETWORK, searchOf } from './laboratory-settings.js';

/** Games against `random`, half of them as each player: the error of a score of 0.95 is 0.015. */
const RANDOM_GAMES = 200;
/** Games against an earlier generation, in pairs from one opening. */
const EARLIER_GAMES = 80;
/** Random moves of an opening: without them, two networks without search would repeat one game. */
const OPENING_PLIES = 4;

/** The earlier generation that a generation is compared with: that of half its number. */
function earlierOf(generation: number): number {
  return Math.floor(generation / 2);
}

/** Points of a generation's network, without search, as shares of the games. */
export interface Scores {
  readonly generation: number;
  readonly random: number;
  /** Against the generation `earlierOf`; null for generation 0. */
  readonly earlier: number | null;
}

/**
 * Lets generations play: matches without search, and games against people, also during a match. Keeps the weights of
 * all generations.
 */
export class Judge {
  private readonly tools: RunTools;
  private readonly generations = new Map<number, Float32Array>();

  constructor(tools: RunTools) {
    this.tools = tools;
  }

  /** @param weights are kept; callers must not change them. */
  add(generation: number, weights: Float32Array): void {
    this.generations.set(generation, weights);
  }

  /** Plays the matches of a generation. */
  async score(generation: number): Promise<Scores> {
    const { game } = this.tools;
    const random = await this.match(generation, createRandomAgent(game), this.plans(RANDOM_GAMES, 0));
    if (generation === 0) return { generation, random, earlier: null };
    const opponent = await this.player(earlierOf(generation));
    const earlier = await this.match(generation, opponent, this.plans(EARLIER_GAMES, OPENING_PLIES));
    return { generation, random, earlier };
  }

  /**
   * A generation's move.
   *
   * @param actions from the start of the game.
   * @param simulations of its search; 0: the move that the network prefers.
   */
  async choose(generation: number, actions: readonly Action[], simulations: number): Promise<Action> {
    const { game, seed } = this.tools;
    const state = game.initialState();
    for (const action of actions) game.apply(state, action);
    const player = await this.player(generation, { simulations, breathe: nextTask });
    try {
      const [choice] = await player.chooseAll([{ state, rng: createRng(seed, 'game', actions.length) }]);
      return choice!.action;
    } finally {
      await player.dispose();
    }
  }

  private async player(
    generation: number,
    { simulations, breathe } = { simulations: 0, breathe: this.tools.breathe },
  ): Promise<Agent<unknown>> {
    const { tf, game } = this.tools;
    const weights = this.generations.get(generation);
    if (weights === undefined)
      throw new RangeError(`expected a generation that was learnt, got ${generation}`);
    const source = `generation ${generation}`;
    const network = networkOf(networkShape(game, NETWORK), weights);
    const session = openTensorSession({ tf, network, source, breathe });
    const evaluator = await NetworkEvaluator.create(game, session, { batchSize: 32 });
    if (simulations === 0) return new PolicyAgent(game, evaluator, source);
    const config = searchOf(simulations);
    return new MctsAgent(game, evaluator, {
      name: source,
      config,
      leaves: 1,
      temperature: 0,
      gumbelScale: 0,
    });
  }

  private plans(games: number, openingPlies: number): readonly GamePlan[] {
    const { game, seed } = this.tools;
    return Array.from({ length: games / 2 }, (_, pair) => {
      const opening = drawOpening(game, createRng(seed, 'opening', pair), openingPlies);
      return ([0, 1] as const).map((agentPlayer) => ({ pair, agentPlayer, opening }));
    }).flat();
  }

  /** Share of the points that the generation wins; disposes of the opponent. */
  private async match(
    generation: number,
    opponent: Agent<unknown>,
    plans: readonly GamePlan[],
  ): Promise<number> {
    const agent = await this.player(generation);
    let points = 0;
    try {
      const options = { seed: this.tools.seed, atOnce: plans.length, forfeitMs: [null, null] as const };
      await playGames<unknown>([agent, opponent], plans, options, (game) => {
        points += game.points;
      });
    } finally {
      await agent.dispose();
      await opponent.dispose();
    }
    return points / plans.length;
  }
}
