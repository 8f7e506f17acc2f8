import type { Action } from '../../../game.js';
import { type Evaluation, MAX_EVALUATION, type Tactics } from '../../../definition/evaluation.js';
import type { Selectivity } from '../../../definition/selectivity.js';
import type { GessPosition } from '../../gess-position.js';
import { GessEvaluation } from '../gess-evaluation.js';
import { boldSelectivity } from './bold-selectivity.js';
import { PatternKernel } from './pattern-kernel.js';
import { OUTPUT_ONE, type PatternWeights } from './pattern-weights.js';

/** Evaluation of Gess by a pattern network. Tactics, and so the order of moves, are those of the hand-written one. */
export class PatternEvaluation implements Evaluation<GessPosition> {
  readonly scale: number;
  readonly dependsOnHistory: boolean;
  readonly selectivity?: Selectivity;
  readonly tactics: Tactics<GessPosition>;
  private readonly handWritten: GessEvaluation;
  private readonly kernel: PatternKernel;
  /** Units of the evaluation for 1 of the kernel's output. */
  private readonly unit: number;

  /** @param rules in the notation of `parseRules`. */
  constructor(rules: string, weights: PatternWeights) {
    this.handWritten = new GessEvaluation(rules);
    this.kernel = new PatternKernel(weights);
    // The same unit, so that margins and gains of captures fit.
    this.scale = this.handWritten.scale;
    this.unit = this.scale / (Math.atanh(0.5) * OUTPUT_ONE);
    this.dependsOnHistory = this.handWritten.dependsOnHistory;
    this.tactics = this.handWritten.tactics;
    // Without knowledge of threats nothing is skipped.
    if (this.tactics.quiet !== undefined) this.selectivity = boldSelectivity(this.scale);
  }

  evaluate({ stones, rings, player }: GessPosition): number {
    const value = Math.round(this.kernel.evaluate(stones, rings, player) * this.unit) + 0;
    // A forged network may have any output.
    return Math.max(1 - MAX_EVALUATION, Math.min(MAX_EVALUATION - 1, value));
  }

  promise(position: GessPosition, action: Action): number {
    return this.handWritten.promise(position, action);
  }
}
