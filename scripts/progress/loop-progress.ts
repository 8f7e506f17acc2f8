import type { LoopObserver } from '../../training/stages/loop-services.js';
import type { EvaluationRecord, GateRecord, MetricsRecord } from '../../training/run/run-records.js';
import { formatElo } from '../text/elo-text.js';
import { createProgress, type Progress } from './progress.js';
import { STAGE_NAMES, STAGE_UNITS as UNITS } from './stage-text.js';
import type { Output } from '../output.js';
import { messenger } from '../output.js';

function describeMetrics({ generation, games, learning }: MetricsRecord): string {
  const { training, validation } = learning;
  const lossOf = (name: 'policyLoss' | 'valueLoss'): string => {
    const heldBack = validation?.[name]?.toFixed(3);
    return `${training[name]?.toFixed(3) ?? '-'}${heldBack === undefined ? '' : ` (${heldBack} on games held back)`}`;
  };
  return (
    `generation ${generation}: ${games.positions} positions of ${games.games} games ` +
    `(${(games.plies / games.games).toFixed(0)} plies), ${learning.samples} samples at ` +
    `${learning.samplesPerSecond.toFixed(0)}/s, policy loss ${lossOf('policyLoss')}, value loss ${lossOf('valueLoss')}`
  );
}

function describeEvaluation(record: EvaluationRecord): string {
  const { generation, key, wins, draws, losses } = record;
  return `generation ${generation} against ${key}: ${wins} won, ${draws} drawn, ${losses} lost, Elo ${formatElo(record)}`;
}

function describeGate(record: GateRecord): string {
  const { generation, opponent, passed, score } = record;
  return (
    `generation ${generation} against generation ${opponent}: score ${score.toFixed(3)}, Elo ${formatElo(record)}; ` +
    `generation ${passed ? generation : opponent} plays self-play`
  );
}

/** Prints messages outside the stages. */
export interface Announcer {
  /** Prints a separate line beside the progress. */
  readonly say: (text: string) => void;
  stop(): void;
}

/** Prints a run in progress: a line for each stage, one a minute, and one for each result. */
export function loopProgress(output: Output): LoopObserver & Announcer {
  let progress: Progress | undefined;
  const say = messenger(output);
  return {
    say,
    onStage: (stage, generation, detail) => {
      progress?.stop();
      progress = createProgress(output, UNITS[stage]);
      progress.start(`gess: generation ${generation}, ${STAGE_NAMES[stage]}: ${detail}`);
    },
    onProgress: (done, total) => {
      progress?.update(done, total);
    },
    onMetrics: (record) => {
      say(describeMetrics(record));
    },
    onGate: (record) => {
      say(describeGate(record));
    },
    onEvaluation: (record) => {
      say(describeEvaluation(record));
    },
    stop: () => {
      progress?.stop();
    },
  };
}
