import { stepButtons } from '../page-parts.js';
import { formatPercent } from '../../../env/text/percent.js';
import type { Game } from '../../../env/game.js';
import { escapeHtml } from '../html-page.js';
import { scriptJson } from '../script-json.js';
import { PAGE_SCRIPT } from './analysis-page-script.js';
import { PAGE_STYLE } from './analysis-page-style.js';
import { describeJudgements, formatLine, formatValue, summarizePlayer } from './analysis-words.js';
import type { GameAnalysis, MoveAnalysis, PositionAnalysis } from './game-analysis.js';

/** A position as the page's script reads it. */
interface PagePosition {
  /** Indices of the lines of its board in the page's list of lines, which boards share. */
  readonly board: readonly number[];
  readonly title: string;
  readonly mark: string;
  readonly verdict: string;
  readonly details: readonly string[];
  readonly comment: string;
}

/** The lines of boards, each stored once. */
class BoardLines {
  readonly lines: string[] = [];
  private readonly game: Game<unknown>;
  private readonly known = new Map<string, number>();

  constructor(game: Game<unknown>) {
    this.game = game;
  }

  draw(state: unknown): readonly number[] {
    const { game } = this;
    const board = game.renderSvg?.(state) ?? `<pre>${escapeHtml(game.render(state))}</pre>`;
    return board.split('\n').map((line) => {
      const index = this.known.get(line) ?? this.lines.push(line) - 1;
      this.known.set(line, index);
      return index;
    });
  }
}

function lineTexts({ game }: GameAnalysis, { lines }: PositionAnalysis): readonly string[] {
  return lines.map((line) => {
    const { visits, prior, value } = line;
    const figures = [
      formatValue(value),
      ...(visits === undefined ? [] : [`${visits} visits`]),
      ...(prior === undefined ? [] : [`prior ${formatPercent(prior)}`]),
    ];
    return `${formatLine(game, line)} (${figures.join(', ')})`;
  });
}

function detailsOf(
  analysis: GameAnalysis,
  { before, value, loss, illegal }: MoveAnalysis,
): readonly string[] {
  if (illegal !== null) return [`Illegal: ${illegal}`];
  const name = analysis.game.playerNames[before.player];
  const best = lineTexts(analysis, before).map(
    (text, index) => `${index === 0 ? 'Best:' : `${index + 1}.`} ${text}`,
  );
  return [
    `Value ${formatValue(value)} to ${name}, loss ${loss === null ? 'unknown' : loss.toFixed(3)}.`,
    ...best,
  ];
}

function positionsOf(analysis: GameAnalysis, boards: BoardLines): readonly PagePosition[] {
  const { game, record, moves } = analysis;
  const [first] = moves;
  const none = { mark: '', verdict: '' };
  const start =
    first === undefined
      ? []
      : [
          {
            ...none,
            title: 'Start',
            board: boards.draw(first.before.state),
            details: [],
            comment: record.comment ?? '',
          },
        ];
  return [
    ...start,
    ...moves.map((move) => ({
      board: boards.draw(move.after.state),
      title: `${move.number} ${game.formatAction(move.action)}`,
      mark: move.judgement?.mark ?? '',
      verdict: move.judgement?.name ?? '',
      details: detailsOf(analysis, move),
      comment: record.moves[move.node]!.comment ?? '',
    })),
  ];
}

/** The value to player 0 after each ply, the start first; null if unknown. */
function curveValues(moves: readonly MoveAnalysis[]): readonly (number | null)[] {
  const [first] = moves;
  const valueOf = ({ value, player }: PositionAnalysis): number | null =>
    value === null ? null : player === 0 ? value : 0 - value;
  return first === undefined ? [] : [valueOf(first.before), ...moves.map(({ after }) => valueOf(after))];
}

/** The curve of the values to player 0: above the middle it is ahead. */
function curveHtml({ moves, game }: GameAnalysis): string {
  const values = curveValues(moves);
  const last = Math.max(1, values.length - 1);
  const points = values.map(
    (value, ply) => `${((100 * ply) / last).toFixed(2)} ${(50 - 48 * (value ?? 0)).toFixed(2)}`,
  );
  const line = points.join('L');
  const marks = moves.flatMap(({ judgement }, index) => {
    if (judgement === null) return [];
    const [left, top] = points[index + 1]!.split(' ');
    return [`<i class="${judgement.name}" style="left:${left!}%;top:${top!}%"></i>`];
  });
  const [first, second] = game.playerNames;
  return `<div class="curve" id="curve" role="slider" aria-label="position" aria-valuemin="0" aria-valuemax="${last}" tabindex="0">
<svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true"><rect class="second" width="100" height="100"/><path class="first" d="M0 100L${line}L100 100Z"/><path class="zero" d="M0 50H100"/><path class="value" d="M${line}"/></svg>
${marks.join('')}<div id="here"></div></div>
<p class="scale soft"><span>top: ${escapeHtml(first)} wins, bottom: ${escapeHtml(second)} wins</span></p>`;
}

function summaryHtml(analysis: GameAnalysis): string {
  const cells = ([0, 1] as const).map((player) => {
    const {
      player: name,
      moves,
      meanLoss,
      blunders,
      mistakes,
      inaccuracies,
    } = summarizePlayer(analysis, player);
    const texts = [
      name,
      moves,
      meanLoss === null ? '?' : meanLoss.toFixed(3),
      blunders,
      mistakes,
      inaccuracies,
    ];
    return `<tr>${texts.map((text) => `<td>${escapeHtml(String(text))}</td>`).join('')}</tr>`;
  });
  const names = ['', 'moves', 'mean loss', '??', '?', '?!'];
  return `<table><tr>${names.map((name) => `<th>${name}</th>`).join('')}</tr>${cells.join('')}</table>`;
}

function movesHtml({ game, moves }: GameAnalysis): string {
  const buttons = moves.map(({ number, action, judgement, illegal }, index) => {
    const mark = judgement === null ? '' : ` <b class="${judgement.name}">${judgement.mark}</b>`;
    const name = `${number} ${game.formatAction(action)}${illegal === null ? '' : ' (illegal)'}`;
    return `<button data-ply="${index + 1}">${escapeHtml(name)}${mark}</button>`;
  });
  return `<div id="moves">${buttons.join('')}</div>`;
}

/** The end of a game in words: `white won`, or the result of the record itself, such as `draw`. */
function endOf({ game, record: { result } }: GameAnalysis): string | undefined {
  return result !== undefined && game.playerNames.includes(result) ? `${result} won` : result;
}

function titleOf(analysis: GameAnalysis): string {
  const { game, record } = analysis;
  const names = game.playerNames.map((color, player) => record.players?.[player] ?? color);
  return [names.join(' – '), record.event, record.date, endOf(analysis)]
    .filter((text) => text !== undefined)
    .join(', ');
}

/** A self-contained page: the curve of the values, the boards, and the analysis of each move. */
export function analysisPage(analysis: GameAnalysis): string {
  const { game, agent, isComplete } = analysis;
  const boards = new BoardLines(game);
  const positions = positionsOf(analysis, boards);
  const title = titleOf(analysis);
  const stopped = isComplete ? '' : ' The analysis was stopped before the end of the game.';
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${PAGE_STYLE}</style>
<h1>${escapeHtml(title)}</h1>
<p class="soft">${escapeHtml(`${game.id}, ${game.rules}. Analyzed by ${agent}; values from -1 to 1 to the player who moved.${stopped}`)}</p>
<main>
<div id="board"></div>
<div>
${curveHtml(analysis)}
${stepButtons([['mark', '?!', 'next marked move']])}
<div id="text" aria-live="polite"></div>
${movesHtml(analysis)}
${summaryHtml(analysis)}
<p class="soft">${escapeHtml(describeJudgements())}. Keys: ← → one move, ↑ ↓ marked moves, Home, End.</p>
</div>
</main>
<script>const data = ${scriptJson({ lines: boards.lines, positions })};</script>
<script>${PAGE_SCRIPT}</script>
</html>
`;
}
