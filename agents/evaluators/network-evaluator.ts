import type { Game, Symmetry } from '../../env/game.js';
import { EvaluationCache } from './evaluation-cache.js';
import type { EvaluationBatch, Evaluator } from './evaluator.js';
import { firstSymmetries } from './first-symmetries.js';
import type { InferenceSession } from './inference-session.js';
import { type ModelForm, modelFormOf, observedGame } from './model-form.js';
import { NetworkInputs } from './network-inputs.js';
import { type SoftmaxSpan, writeSoftmax } from './softmax.js';

/** Settings of a network's evaluation. */
export interface NetworkOptions {
  /**
   * Greatest number of boards in one run of the network, 8 by default; larger batches gain little on a CPU. All
   * symmetries of a position share a run, even if they are more than this.
   */
  readonly batchSize?: number;
  /** Approximate number of evaluations kept; 0, the default: none. */
  readonly cacheSize?: number;
  /** Number of the game's symmetries, from the first, over which the network's answers are averaged; 1 by default. */
  readonly symmetries?: number;
}

/** The logits of one run of the network, whose rows are positions in all symmetries. */
interface Logits {
  /** `[rows, width]` by legal action in the form `legal`, by policy index in the form `policy`. */
  readonly policy: Float32Array;
  readonly width: number;
  /** Length of a row of `inputs.legal`. */
  readonly rowLength: number;
  /** `[rows, 3]` win, draw and loss of the player to move. */
  readonly outcome: Float32Array;
}

/**
 * Evaluates positions with a network: batches them, averages over symmetries, and caches. The session runs the network.
 * A position's evaluation does not depend on its batch, provided that the session's outputs do not.
 */
export class NetworkEvaluator implements Evaluator {
  readonly name = 'network';
  readonly readsInputs = true;
  readonly observedGame: Game<unknown>;
  readonly cache: EvaluationCache;
  /** Positions that went through the network. */
  evaluated = 0;
  private readonly session: InferenceSession;
  private readonly form: ModelForm;
  /** Greatest number of positions in one run, each in all symmetries. */
  private readonly positions: number;
  private readonly numActions: number;
  private readonly symmetries: readonly Symmetry[];
  private readonly inputs: NetworkInputs;
  /** `[max(3, L)]` scratch: probabilities of a transformed board. */
  private readonly turned: Float32Array;

  private constructor(game: Game<unknown>, session: InferenceSession, options: NetworkOptions) {
    const { batchSize = 8, cacheSize = 0, symmetries = 1 } = options;
    this.session = session;
    this.observedGame = observedGame(session, game);
    this.form = modelFormOf(session, this.observedGame);
    this.numActions = game.numActions;
    this.symmetries = firstSymmetries(game, symmetries);
    this.positions = Math.max(1, Math.floor(batchSize / symmetries));
    this.inputs = new NetworkInputs(this.observedGame, this.positions, this.symmetries);
    this.turned = new Float32Array(Math.max(3, game.maxLegalActions));
    this.cache = new EvaluationCache(cacheSize, game.maxLegalActions);
  }

  /**
   * Makes an evaluator of a model's session.
   *
   * @param session owned by the evaluator, which disposes of it, even if this throws.
   * @throws AgentError `model-mismatch` if the model is for another game; `agent-option` if the game has fewer
   *   symmetries.
   */
  static async create(
    game: Game<unknown>,
    session: InferenceSession,
    options: NetworkOptions = {},
  ): Promise<NetworkEvaluator> {
    try {
      return new NetworkEvaluator(game, session, options);
    } catch (error) {
      await session.dispose();
      throw error;
    }
  }

  /** @throws AgentError `model-not-finite`; errors of the session. */
  async evaluate(batch: EvaluationBatch): Promise<void> {
    const { wanted } = this.inputs;
    let count = 0;
    for (let index = 0; index < batch.size; index++) {
      if (this.cache.read(batch, index)) continue;
      wanted[count++] = index;
      if (count < this.positions) continue;
      await this.evaluateWanted(batch, count);
      count = 0;
    }
    if (count > 0) await this.evaluateWanted(batch, count);
  }

  /** Disposes of the session. */
  async dispose(): Promise<void> {
    await this.session.dispose();
  }

  /** Evaluates the first `count` of `inputs.wanted`, in all symmetries, in one run of the network. */
  private async evaluateWanted(batch: EvaluationBatch, count: number): Promise<void> {
    const { symmetries, inputs } = this;
    const logits = await this.run(batch, count);
    for (let place = 0; place < count; place++) {
      const index = inputs.wanted[place]!;
      for (let turn = 0; turn < symmetries.length; turn++) {
        const row = turn * count + place;
        const policy = this.policySpan(batch, index, logits, row);
        this.writeOrAdd(turn, logits.policy, batch.priors, policy);
        const outcome = { from: 3 * row, to: 3 * index, count: 3 };
        this.writeOrAdd(turn, logits.outcome, batch.outcomes, outcome);
      }
      if (symmetries.length > 1) this.divide(batch, index);
      this.cache.write(batch, index);
    }
    this.evaluated += count;
  }

  /** Runs the network on the first `count` of `inputs.wanted`, in all symmetries. */
  private async run(batch: EvaluationBatch, count: number): Promise<Logits> {
    const isLegal = this.form === 'legal';
    const rows = count * this.symmetries.length;
    const rowLength = this.inputs.fillLegal(batch, count);
    const observation = this.inputs.observations(batch, count);
    const data = this.inputs.legal.subarray(0, rows * rowLength);
    const legal = { data, shape: [rows, rowLength] };
    const outputs = await this.session.run(isLegal ? { observation, legal } : { observation });
    return {
      policy: outputs.get(isLegal ? 'legalLogits' : 'policy')!,
      width: isLegal ? rowLength : this.numActions,
      rowLength,
      outcome: outputs.get('outcome')!,
    };
  }

  /** The logits of the legal actions of the position at `index` in a row, and the place of their probabilities. */
  private policySpan(
    batch: EvaluationBatch,
    index: number,
    { width, rowLength }: Logits,
    row: number,
  ): SoftmaxSpan {
    const to = batch.start[index]!;
    const span = { from: row * width, to, count: batch.start[index + 1]! - to };
    return this.form === 'legal' ? span : { ...span, pick: this.inputs.legal, pickFrom: row * rowLength };
  }

  /** Writes the softmax of the logits of the first symmetry, and adds those of the others. */
  private writeOrAdd(turn: number, logits: Float32Array, out: Float32Array, span: SoftmaxSpan): void {
    if (turn === 0) {
      writeSoftmax(logits, out, span);
      return;
    }
    writeSoftmax(logits, this.turned, { ...span, to: 0 });
    for (let i = 0; i < span.count; i++) out[span.to + i]! += this.turned[i]!;
  }

  /** Divides the sums over the symmetries by their number. */
  private divide(batch: EvaluationBatch, index: number): void {
    const { length } = this.symmetries;
    for (let i = batch.start[index]!; i < batch.start[index + 1]!; i++) batch.priors[i]! /= length;
    for (let i = index * 3; i < index * 3 + 3; i++) batch.outcomes[i]! /= length;
  }
}
