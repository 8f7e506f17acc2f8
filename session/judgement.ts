/**
 * Judgements of a move by its loss: the value of the best move less that of the move played, both in [-1, 1] to the
 * player who moved. A loss of 0.3 is 15 % of the winning chances. The limits are those of lichess's analysis (lila,
 * `Advice.scala`), whose winning chances have the same scale.
 */
export const JUDGEMENTS = [
  { name: 'blunder', mark: '??', least: 0.3 },
  { name: 'mistake', mark: '?', least: 0.2 },
  { name: 'inaccuracy', mark: '?!', least: 0.1 },
] as const;

export type Judgement = (typeof JUDGEMENTS)[number];

/** The judgement of a loss; null for one that is too small. */
export function judge(loss: number): Judgement | null {
  return JUDGEMENTS.find(({ least }) => loss >= least) ?? null;
}
