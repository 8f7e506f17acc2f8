import type { EvaluationRecord } from '../../training/run/run-records.js';

/** An Elo difference without decimals: `+123`. */
export function formatDifference(value: number): string {
  return `${value < -0.5 ? '-' : '+'}${Math.abs(value).toFixed(0)}`;
}

/** A 95 % interval of Elo differences: `[+80, +170]`; null: an open end, `∞`. */
export function formatInterval(low: number | null, high: number | null): string {
  return `[${low === null ? '-∞' : formatDifference(low)}, ${high === null ? '+∞' : formatDifference(high)}]`;
}

/**
 * `+123 [+80, +170]`; `> +80` if one player won every game, which bounds the difference on one side only: any estimate
 * within the bound would depend on the number of games alone.
 */
export function formatElo({
  elo,
  eloLow,
  eloHigh,
}: Pick<EvaluationRecord, 'elo' | 'eloLow' | 'eloHigh'>): string {
  if (eloHigh === null && eloLow !== null) return `> ${formatDifference(eloLow)}`;
  if (eloLow === null && eloHigh !== null) return `< ${formatDifference(eloHigh)}`;
  return `${formatDifference(elo)} ${formatInterval(eloLow, eloHigh)}`;
}
