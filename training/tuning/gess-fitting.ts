import { NO_ACTION } from '../../env/game.js';
import { GessEvaluation } from '../../env/gess/heuristics/gess-evaluation.js';
import { type GessWeights, TERM_NAMES, type TermName } from '../../env/gess/heuristics/gess-terms.js';
import { NAMED_GESS_WEIGHTS, type WeightsName } from '../../env/gess/heuristics/gess-weights.js';
import { listShardsOfDatasets } from '../../data/datasets/dataset-folder.js';
import { GameRegister } from '../../data/datasets/game-register.js';
import { isValidationGame } from '../../data/datasets/replay-window.js';
import { NO_RESULT } from '../../data/shards/column-table.js';
import type { ShardColumns } from '../../data/shards/shard-columns.js';
import { type ListingObserver, readShard } from '../../data/shards/shard.js';
import { createGess } from '../../env/gess/gess.js';
import { TrainingError } from '../training-error.js';
import { crossEntropy, fitLogistic, type FittingRows } from './logistic-regression.js';
import { checkShardRows } from '../../data/shards/shard-check.js';

/** Share of the games held back for validation. */
const VALIDATION_SHARE = 0.2;
/** Number of iterations; Newton's method converges in fewer. */
const ITERATIONS = 12;
/** The evaluation at which the initial weights predict three wins in four games. */
const START_SCALE = 400;
/** Weight of a stone. */
const STONE = 100;
/** Greatest scale of a result: with it, all stones of a player together hardly change the expected points. */
const MOST_SCALE = 10_000;
/** Logit of 3/4. */
const SCALE_LOGIT = Math.log(3);

/** Settings of a fit of the weights. */
export interface GessFittingOptions extends ListingObserver {
  /** Datasets: folders of shards, with their subfolders, or shards. */
  readonly data: readonly string[];
  readonly rules: string;
  /** Initial weights, towards which the fit is pulled. */
  readonly start: WeightsName;
  /** Strength of the pull: the number of rows that move a weight halfway. */
  readonly pull: number;
  /** Seed of the division into training and validation games. */
  readonly seed: number;
  /** Called after each shard with the number read and of all. */
  readonly onShard?: (done: number, all: number) => void;
}

/** The result of a fit. */
export interface GessFit {
  readonly positions: number;
  readonly validationPositions: number;
  /** Mean cross-entropy of validation results, under the initial and the fitted weights. */
  readonly lossBefore: number;
  readonly lossAfter: number;
  /** Rounded; a stone is 100. */
  readonly weights: GessWeights;
  /** The evaluation at which the player to move is expected to win three games in four. */
  readonly scale: number;
}

/** Rows collected so far. */
class RowList {
  readonly features: number[] = [];
  readonly results: number[] = [];

  toRows(): FittingRows {
    return {
      rows: this.results.length,
      terms: TERM_NAMES.length,
      features: Float64Array.from(this.features),
      results: Float64Array.from(this.results),
    };
  }
}

/**
 * Adds the quiet rows of a shard from games with a result. Wins and threats to the ring are excluded, since search
 * finds them.
 */
function addShard(columns: ShardColumns, rules: string, listOf: (gameId: number) => RowList): void {
  const game = createGess({ rules });
  const evaluation = new GessEvaluation(rules);
  const position = game.initialState();
  for (let row = 0; row < columns.rows; row++) {
    const result = columns.results[row]!;
    if (result === NO_RESULT) continue;
    game.unpack(columns.positions, row * columns.positionSize, position);
    if (evaluation.winningAction(position) !== NO_ACTION || evaluation.isThreatened(position)) continue;
    const list = listOf(columns.gameIds[row]!);
    const terms = evaluation.termsOf(position);
    for (const name of TERM_NAMES) list.features.push(terms[name]);
    list.results.push((result + 1) / 2);
  }
}

/**
 * Converts logits of terms to weights with a stone at 100, and their scale.
 *
 * @throws TrainingError `tuning-games` if a stone is worth nothing or less, and so would turn all weights around.
 */
function normalise(logits: Float64Array): { weights: Record<TermName, number>; scale: number } {
  const stones = logits[TERM_NAMES.indexOf('stones')]!;
  const unit = stones / STONE;
  if (!(unit * MOST_SCALE >= SCALE_LOGIT)) {
    throw new TrainingError(
      'tuning-games',
      `expected games in which stones help to win, found a stone worth ${stones.toPrecision(2)} in the logit of the points; ` +
        'more games, or a stronger pull towards the initial weights, may help',
    );
  }
  const entries = TERM_NAMES.map((name, term) => [name, logits[term]! / unit] as const);
  const weights = Object.fromEntries(entries) as Record<TermName, number>;
  return { weights, scale: SCALE_LOGIT / unit };
}

function toLogits(weights: GessWeights, scale: number): Float64Array {
  return Float64Array.from(TERM_NAMES, (name) => (weights[name] * SCALE_LOGIT) / scale);
}

/** The validation loss of `weights` at the best of a few scales, chosen on the training rows. */
function bestScaleLoss(rows: FittingRows, validation: FittingRows, weights: GessWeights): number {
  const scales = Array.from({ length: 40 }, (_, i) => 50 * 1.1 ** i);
  const losses = scales.map((scale) => crossEntropy(rows, toLogits(weights, scale)));
  const best = scales[losses.indexOf(Math.min(...losses))]!;
  return crossEntropy(validation, toLogits(weights, best));
}

/**
 * Fits the weights of the Gess evaluation to the results of games (Texel's method; Österlund 2014). Since the
 * evaluation is a sum of terms, this is logistic regression.
 *
 * @throws DataError for shards that cannot be used, and for games that occur twice; TrainingError `tuning-games` if too
 *   few games have a result, or if stones do not help to win them.
 */
export async function fitGessWeights(options: GessFittingOptions): Promise<GessFit> {
  const game = createGess({ rules: options.rules });
  const games = new GameRegister();
  const training = new RowList();
  const held = new RowList();
  const shards = await listShardsOfDatasets(options.data, options);
  for (const [index, path] of shards.entries()) {
    const shard = await readShard(path, game);
    checkShardRows(path, shard);
    games.add(path, shard);
    const { columns } = shard;
    addShard(columns, options.rules, (gameId) =>
      isValidationGame(options.seed, gameId, VALIDATION_SHARE) ? held : training,
    );
    options.onShard?.(index + 1, shards.length);
  }
  const rows = training.toRows();
  const validation = held.toRows();
  if (rows.rows < TERM_NAMES.length || validation.rows === 0) {
    throw new TrainingError(
      'tuning-games',
      `expected at least ${TERM_NAMES.length} positions to fit, of games with a result, and one of another game to hold back ` +
        `in ${options.data.join(', ')}; got ${rows.rows} and ${validation.rows}`,
    );
  }
  const before = NAMED_GESS_WEIGHTS[options.start];
  const start = toLogits(before, START_SCALE);
  const logits = fitLogistic(rows, { start, pull: options.pull, iterations: ITERATIONS });
  const { weights, scale } = normalise(logits);
  const rounded = Object.fromEntries(TERM_NAMES.map((name) => [name, Math.round(weights[name])]));
  return {
    positions: rows.rows,
    validationPositions: validation.rows,
    lossBefore: bestScaleLoss(rows, validation, before),
    lossAfter: crossEntropy(validation, logits),
    weights: rounded as Record<TermName, number>,
    scale: Math.round(scale),
  };
}
