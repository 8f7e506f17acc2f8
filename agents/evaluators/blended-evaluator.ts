import type { Evaluation } from '../../env/definition/evaluation.js';
import type { Game } from '../../env/game.js';
import { AlphaBetaSearch } from '../alpha-beta/alpha-beta-search.js';
import { isProven, toUnitValue } from '../alpha-beta/search-values.js';
import type { EvaluationBatch, Evaluator } from './evaluator.js';

/** Entries of the table of a search so shallow that more would be cleared than used. */
const TABLE_SIZE = 1024;

/** Depth of the search in plies, before quiescence. */
const DEPTH = 1;
/**
 * Share of the search's value. A least-squares fit to the values of searches with 256 simulations gives it 0.65
 * (docs/results/runs.md, "With alpha-beta in the leaves").
 */
export const ALPHA_BETA_SHARE = 0.6;

/**
 * Blends the outcomes of another evaluator with the value of a shallow alpha-beta search of each position, which sees
 * captures and threats that a network overlooks (Baier and Winands 2013, "Monte-Carlo Tree Search and Minimax Hybrids",
 * put such searches into other parts of the tree search). A value `v` in [-1, 1] counts as a win with probability
 * `(1 + v) / 2`, else a loss; a proven result replaces the other outcome. Priors stay as they are.
 */
export class BlendedEvaluator<State> implements Evaluator {
  readonly name: string;
  readonly readsInputs: boolean;
  readonly readsStates = true;
  readonly observedGame: Game<unknown>;
  private readonly inner: Evaluator;
  private readonly evaluation: Evaluation<State>;
  private readonly search: AlphaBetaSearch<State>;

  /**
   * @param inner owned by this evaluator, which disposes of it.
   * @param evaluation of the search.
   */
  constructor(game: Game<State>, inner: Evaluator, evaluation: Evaluation<State>) {
    this.name = inner.name;
    this.readsInputs = inner.readsInputs;
    this.observedGame = inner.observedGame ?? game;
    this.inner = inner;
    this.evaluation = evaluation;
    this.search = new AlphaBetaSearch(game, evaluation, { tableSize: TABLE_SIZE });
  }

  /** @throws errors of the other evaluator. */
  async evaluate(batch: EvaluationBatch): Promise<void> {
    await this.inner.evaluate(batch);
    for (let index = 0; index < batch.size; index++) this.blend(batch, index);
  }

  async dispose(): Promise<void> {
    await this.inner.dispose();
  }

  private blend({ states, outcomes }: EvaluationBatch, index: number): void {
    const { value } = this.search.search(states[index] as State, { depth: DEPTH });
    const own = isProven(value) ? 1 : ALPHA_BETA_SHARE;
    const chance = (1 + toUnitValue(value, this.evaluation.scale)) / 2;
    const [win, draw, loss] = outcomes.subarray(3 * index, 3 * index + 3);
    outcomes[3 * index] = (1 - own) * win! + own * chance;
    outcomes[3 * index + 1] = (1 - own) * draw!;
    outcomes[3 * index + 2] = (1 - own) * loss! + own * (1 - chance);
  }
}
