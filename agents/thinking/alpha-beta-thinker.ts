import type { Game } from '../../env/game.js';
import type { AlphaBetaAgentOptions } from '../alpha-beta/alpha-beta-agent.js';
import type { AlphaBetaLimits, AlphaBetaResult } from '../alpha-beta/alpha-beta-options.js';
import { AlphaBetaSearch } from '../alpha-beta/alpha-beta-search.js';
import { isProven, pliesToEnd, toUnitValue } from '../alpha-beta/search-values.js';
import type { Candidate, Thinker, ThinkingOptions, Thought } from './thinking.js';

/** Thinks by alpha-beta search; each finished iteration is a thought. */
export class AlphaBetaThinker<State> implements Thinker<State> {
  readonly name: string;
  readonly game: Game<State>;
  readonly limits: AlphaBetaLimits;
  private readonly scale: number;
  private readonly search: AlphaBetaSearch<State>;

  constructor(game: Game<State>, { name, limits, evaluation, remembers }: AlphaBetaAgentOptions<State>) {
    this.name = name;
    this.game = game;
    this.limits = limits;
    this.scale = evaluation.scale;
    this.search = new AlphaBetaSearch(game, evaluation, { remembers });
  }

  newGame(): void {
    this.search.forget();
  }

  think(state: State, { limits, lines, shouldStop, onThought }: ThinkingOptions): Promise<Thought> {
    const onIteration =
      onThought &&
      ((results: readonly AlphaBetaResult[]) => {
        onThought(this.thoughtOf(results));
      });
    const results = this.search.searchLines(state, { ...limits, shouldStop }, lines, onIteration);
    return Promise.resolve(this.thoughtOf(results));
  }

  dispose(): Promise<void> {
    return Promise.resolve();
  }

  private thoughtOf(results: readonly AlphaBetaResult[]): Thought {
    const { depth, nodes } = results.at(-1)!;
    return { candidates: results.map((result) => this.candidateOf(result)), depth, nodes };
  }

  private candidateOf({ action, value, principalVariation }: AlphaBetaResult): Candidate {
    const unit = toUnitValue(value, this.scale);
    const known = isProven(value) ? { pliesToEnd: pliesToEnd(value) } : { evaluation: value };
    return { action, value: unit, ...known, principalVariation };
  }
}
