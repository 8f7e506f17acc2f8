import type { Candidate } from '../../../agents/thinking/thinking.js';
import { type Game, type Player } from '../../../env/game.js';
import type { GameAnalysis, MoveAnalysis } from './game-analysis.js';
import { JUDGEMENTS } from '../../../session/judgement.js';
import { countOf } from '../../../env/text/count-of.js';

/** `+0.250`, or a question mark for an unknown value. */
export function formatValue(value: number | null | undefined): string {
  if (value === null || value === undefined) return '?';
  return `${value < 0 ? '-' : '+'}${Math.abs(value).toFixed(3)}`;
}

/** Moves of a line as text. */
export function formatLine(game: Game<unknown>, { principalVariation }: Candidate): string {
  return principalVariation.map((action) => game.formatAction(action)).join(' ');
}

/** The words of a comment on a move. */
export function describeMove(game: Game<unknown>, move: MoveAnalysis): string {
  const { before, value, loss, judgement, illegal, action } = move;
  if (illegal !== null) return `illegal: ${illegal}`;
  const name = game.playerNames[before.player];
  const played = `value ${formatValue(value)} to ${name}`;
  const [best] = before.lines;
  if (best === undefined || loss === null) return played;
  if (best.action === action) return `${played}; the best move`;
  const verdict = judgement === null ? '' : `, ${judgement.mark} ${judgement.name}`;
  return `${played}, loss ${loss.toFixed(3)}${verdict}; best ${formatLine(game, best)} (${formatValue(best.value)})`;
}

/** The moves of a player, counted by judgement, and their mean loss. */
export interface PlayerSummary {
  readonly player: string;
  readonly moves: number;
  readonly meanLoss: number | null;
  readonly blunders: number;
  readonly mistakes: number;
  readonly inaccuracies: number;
}

export function summarizePlayer({ game, moves }: GameAnalysis, player: Player): PlayerSummary {
  const own = moves.filter(({ before }) => before.player === player);
  const losses = own.flatMap(({ loss }) => (loss === null ? [] : [loss]));
  const [blunders, mistakes, inaccuracies] = JUDGEMENTS.map(
    (judgement) => own.filter((move) => move.judgement === judgement).length,
  ) as [number, number, number];
  return {
    player: game.playerNames[player],
    moves: own.length,
    meanLoss: losses.length === 0 ? null : losses.reduce((sum, loss) => sum + loss, 0) / losses.length,
    blunders,
    mistakes,
    inaccuracies,
  };
}

function describePlayer({
  player,
  moves,
  meanLoss,
  blunders,
  mistakes,
  inaccuracies,
}: PlayerSummary): string {
  const mean = meanLoss === null ? 'no losses known' : `mean loss ${meanLoss.toFixed(3)}`;
  const counts = [
    countOf(moves, 'move'),
    mean,
    countOf(blunders, 'blunder'),
    countOf(mistakes, 'mistake'),
    countOf(inaccuracies, 'inaccuracy'),
  ];
  return `${player}: ${counts.join(', ')}`;
}

/** The limits of the judgements in words. */
export function describeJudgements(): string {
  return JUDGEMENTS.map(({ mark, name, least }) => `${mark} ${name}: loss of ${least} or more`).join('; ');
}

/** The analysis of a game for people, several lines. */
export function describeGame(analysis: GameAnalysis): string {
  const { game, moves, agent, isComplete } = analysis;
  const rows = moves.map((move) => {
    const { number, action, judgement, before, value, loss, illegal } = move;
    const [best] = before.lines;
    return [
      `${number} ${game.formatAction(action)}`.padEnd(18),
      (illegal === null ? (judgement?.mark ?? '') : 'illegal').padEnd(8),
      formatValue(value).padStart(7),
      (loss === null ? '?' : loss.toFixed(3)).padStart(7),
      best === undefined ? '' : `${game.formatAction(best.action)} (${formatValue(best.value)})`,
    ].join(' ');
  });
  return [
    `${agent}; values to the player who moves`,
    `${'move'.padEnd(18)} ${''.padEnd(8)} ${'value'.padStart(7)} ${'loss'.padStart(7)} best`,
    ...rows,
    ...([0, 1] as const).map((player) => describePlayer(summarizePlayer(analysis, player))),
    describeJudgements(),
    ...(isComplete ? [] : ['stopped: the moves after these were not analysed']),
  ].join('\n');
}
