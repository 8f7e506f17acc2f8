import type { NodeId } from '../../../session/game-tree.js';
import type { PageEngine, Search } from '../../engine/page-engine.js';
import type { EngineThought, GameLine } from '../../engine/messages.js';
import type { ListedModel } from '../../engine/model-list.js';
import type { Match } from '../game/match.svelte.js';
import { type PositionValues, thoughtValue, valueToFirst } from './position-values.js';
import { errorText } from '../../../env/text/error-text.js';

/** Simulations after which the analysis of a position ends. */
const SIMULATIONS = 4000;
/** Simulations of each position when a whole game is reviewed. */
const REVIEW_SIMULATIONS = 96;
/** Milliseconds for the analysis of a position without a network. */
const ALPHA_BETA_MS = 10_000;
const REVIEW_ALPHA_BETA_MS = 300;
/** Best moves that are shown. */
const LINES = 3;

/** The engine's view of the positions of a game. */
export class Analysis {
  /** Whether the current position is analysed. */
  isOn = $state(true);
  thought = $state.raw<EngineThought | null>(null);
  failure = $state<string | null>(null);
  /** Positions of the review that are left; null if there is none. */
  reviewLeft = $state<number | null>(null);
  values = $state.raw<PositionValues>(new Map<NodeId, number>());
  private readonly match: Match;
  private readonly engine: PageEngine;
  private readonly modelFor: (game: string, rules: string) => Promise<ListedModel | undefined>;
  private search: Search | undefined;
  private asked = 0;

  constructor(
    match: Match,
    engine: PageEngine,
    modelFor: (game: string, rules: string) => Promise<ListedModel | undefined>,
  ) {
    this.match = match;
    this.engine = engine;
    this.modelFor = modelFor;
  }

  /** Analyses the current position, in place of the last one. */
  async follow(): Promise<void> {
    this.stop();
    const { view, line } = this.match;
    this.thought = null;
    this.failure = null;
    if (view.outcome !== null) this.keepValue(view.node, view.outcome);
    if (!this.isOn || view.outcome !== null || this.reviewLeft !== null) return;
    this.asked += 1;
    const { asked } = this;
    const receive = (thought: EngineThought): void => {
      if (asked !== this.asked) return;
      this.thought = thought;
      const value = thoughtValue(thought, view.player);
      if (value !== undefined) this.keepValue(view.node, value);
    };
    try {
      const agent = await this.agent(SIMULATIONS, ALPHA_BETA_MS);
      if (asked !== this.asked) return;
      const question = { line, agent, seed: 1, lines: LINES, wantsPriors: true };
      this.search = this.engine.think(question, receive);
      await this.search.result;
    } catch (error) {
      if (asked === this.asked) this.failure = errorText(error);
    }
  }

  /** Ends the search. */
  stop(): void {
    this.asked += 1;
    this.search?.stop();
    this.search = undefined;
  }

  /** Judges every position of the current line. */
  async review(): Promise<void> {
    this.stop();
    try {
      await this.reviewLine();
    } catch (error) {
      this.reviewLeft = null;
      this.failure = errorText(error);
    }
  }

  private async reviewLine(): Promise<void> {
    const { tree, table, line } = this.match;
    const nodes = tree.lineThrough(tree.current);
    const actions = tree.actionsTo(nodes.at(-1)!);
    const agent = await this.agent(REVIEW_SIMULATIONS, REVIEW_ALPHA_BETA_MS);
    const state = table.game.parsePosition(line.start);
    this.reviewLeft = nodes.length;
    for (const [index, node] of nodes.entries()) {
      const outcome = table.game.outcome(state);
      if (outcome === null)
        await this.reviewPosition(node, { ...line, actions: actions.slice(0, index) }, agent);
      else this.keepValue(node, outcome);
      // The user stopped the review.
      if (!this.isReviewing()) return;
      this.reviewLeft = nodes.length - index - 1;
      if (index < actions.length) table.game.apply(state, actions[index]!);
    }
    this.reviewLeft = null;
    await this.follow();
  }

  /** Ends the review; what it has judged stays. */
  endReview(): void {
    this.reviewLeft = null;
    this.search?.stop();
    void this.follow();
  }

  private async reviewPosition(node: NodeId, line: GameLine, agent: string): Promise<void> {
    const { game } = this.match.table;
    const state = game.parsePosition(line.start);
    for (const action of line.actions) game.apply(state, action);
    this.search = this.engine.think({ line, agent, seed: 1 });
    const thought = await this.search.result;
    const value = thought?.candidates[0]?.value;
    if (value !== undefined) this.keepValue(node, valueToFirst(value, game.currentPlayer(state)));
  }

  private isReviewing(): boolean {
    return this.reviewLeft !== null;
  }

  private keepValue(node: NodeId, value: number): void {
    this.values = new Map([...this.values, [node, value]]);
  }

  private async agent(simulations: number, timeMs: number): Promise<string> {
    const { game } = this.match.table;
    const model = await this.modelFor(game.id, game.rules);
    if (model === undefined) return `alphabeta:timeMs=${timeMs}`;
    return `mcts:model=${model.file},leaves=8,simulations=${simulations}`;
  }
}
