import type { Precision } from '../../../agents/play-options.js';
import { PLAYER_NODE_OPTIONS } from '../../../training/workers/player-options.js';
import { resultOfChild } from '../child-result.js';
import type { MeasuredGames } from './self-play-measurement.js';

/** Results of the selfplay section of `gess bench`, of one process unless named otherwise. */
export interface SelfPlayRates {
  /** Network evaluations per second in self-play. */
  readonly evalsPerSecond: number;
  /** Evaluations per second of the network alone at the same batch size, measured by turns with self-play. */
  readonly bareEvalsPerSecond: number;
  /** The first over the second, both in processor time: the median of three rounds. */
  readonly evalsToBare: number;
  /** Rows for the learner per second. */
  readonly positionsPerSecond: number;
  /** Share of requested evaluations found in the cache. */
  readonly cacheHitRate: number;
  readonly rulesShare: number;
  readonly treeShare: number;
  readonly networkShare: number;
  readonly evaluatorShare: number;
  readonly otherShare: number;
  /** Games a second of processor time with an int8 trunk, relative to float32; both untrained, so games last equally long. */
  readonly int8GamesToFloat32: number;
  /** Network evaluations per second of two processes together. */
  readonly twoProcessEvalsPerSecond: number;
  /** Two processes relative to one, measured alike. */
  readonly twoProcessesToOne: number;
}

/** Self-play in a process of its own, so that this one can show its progress. */
function measureProcess(precision: Precision, ...comparison: readonly 'bare'[]): Promise<MeasuredGames> {
  return resultOfChild('./self-play/self-play-process.js', {
    words: [precision, ...comparison],
    nodeOptions: PLAYER_NODE_OPTIONS,
  });
}

function round(number: number, digits: number): number {
  return Math.round(number * 10 ** digits) / 10 ** digits;
}

/** Measures self-play of Gess with default settings and an untrained network of 32 channels and 4 blocks. */
export async function benchSelfPlay(): Promise<SelfPlayRates> {
  const played = await measureProcess('float32', 'bare');
  const { bare, toBare } = played.comparison!;
  const both = await Promise.all([measureProcess('float32'), measureProcess('float32')]);
  const int8 = await measureProcess('int8');
  const two = both[0].perSecond + both[1].perSecond;
  return {
    evalsPerSecond: round(played.perSecond, 0),
    bareEvalsPerSecond: round(bare.perSecond, 0),
    evalsToBare: round(toBare, 3),
    positionsPerSecond: round(played.perSecond * played.positionsPerEvaluation, 1),
    cacheHitRate: round(played.cacheHitRate, 3),
    rulesShare: played.shares.rules,
    treeShare: played.shares.tree,
    networkShare: played.shares.network,
    evaluatorShare: played.shares.evaluator,
    otherShare: played.shares.other,
    int8GamesToFloat32: round(int8.gamesPerProcessorSecond / played.gamesPerProcessorSecond, 2),
    twoProcessEvalsPerSecond: round(two, 0),
    twoProcessesToOne: round(two / played.perSecond, 3),
  };
}
