import type { SearchJob } from '../../../agents/thinking/search-job.js';
import type { Candidate, ThinkingLimits, Thought } from '../../../agents/thinking/thinking.js';
import { DataError } from '../../../data/data-error.js';
import type { GameRecord } from '../../../data/records/record.js';
import { moveNumberAfter } from '../../../data/records/variations.js';
import { type Action, type Game, outcomeTo, type Player } from '../../../env/game.js';
import { explainIllegal, firstState } from '../../../env/replay/replay.js';
import { type Judgement, judge } from '../../../session/judgement.js';

/** An analysed position of a game. */
export interface PositionAnalysis {
  readonly state: unknown;
  readonly player: Player;
  /** In [-1, 1] to `player`; null if the agent has no values. */
  readonly value: number | null;
  /** The best lines, the best first; none if the game is over. */
  readonly lines: readonly Candidate[];
}

/** A move of a game, with the analysis of the positions before and after it. */
export interface MoveAnalysis {
  /** Its index among the nodes of the record. */
  readonly node: number;
  /** The number as people write it: `13...`. */
  readonly number: string;
  readonly action: Action;
  /** Why it is illegal; null if it is legal. */
  readonly illegal: string | null;
  readonly before: PositionAnalysis;
  readonly after: PositionAnalysis;
  /** Value to the player who moved of the position after it, in [-1, 1]; null if unknown. */
  readonly value: number | null;
  /** By how much the best move is better, 0 or more; null if unknown or the move is illegal. */
  readonly loss: number | null;
  readonly judgement: Judgement | null;
}

/** An analysed game, or its beginning. */
export interface GameAnalysis {
  readonly game: Game<unknown>;
  readonly record: GameRecord;
  readonly agent: string;
  readonly moves: readonly MoveAnalysis[];
  /** Whether all moves were analysed. */
  readonly isComplete: boolean;
}

/** A move of the main line, with the position before it. */
interface Step {
  readonly node: number;
  readonly action: Action;
  /** Time that the move took off its player's clock, in games with clocks. */
  readonly seconds: number;
  readonly illegal: string | null;
}

/** How positions are searched. */
export interface GameSearch {
  readonly agent: string;
  readonly lines: number;
  readonly limits: ThinkingLimits | undefined;
  readonly seed: number;
  readonly think: (job: SearchJob) => Promise<Thought>;
  /** Ends the analysis after the position in progress. */
  readonly signal: AbortSignal;
  /** Called after each position. */
  readonly onPosition: (done: number, total: number) => void;
}

/**
 * The moves of the main line.
 *
 * @throws DataError `record-illegal` for an illegal move, unless `force` and the game can play it; NotationError.
 */
function stepsOf(game: Game<unknown>, record: GameRecord, force: boolean): readonly Step[] {
  const state = firstState(game, record.position);
  const steps: Step[] = [];
  for (const [node, { move, seconds = 0 }] of record.moves.entries()) {
    if (move === undefined) continue;
    const action = game.parseAction(move);
    game.spendTime?.(state, seconds);
    const illegal = game.isLegal(state, action) ? null : explainIllegal(game, state, action);
    if (illegal !== null && !(force && game.canForce?.(state, action) === true)) {
      const hint = force ? '' : '; --force plays illegal moves that can be played';
      throw new DataError(
        'record-illegal',
        `expected a legal game; move ${steps.length + 1}: ${illegal}${hint}`,
      );
    }
    game.apply(state, action);
    steps.push({ node, action, seconds, illegal });
  }
  return steps;
}

/** A position as a search thread reads it: the moves since the last one that was illegal, or the start. */
class SearchedPosition {
  readonly state: unknown;
  private readonly game: Game<unknown>;
  private start: string | undefined;
  private moves: string[] = [];
  private seconds: number[] = [];

  constructor(game: Game<unknown>, record: GameRecord) {
    this.game = game;
    this.state = firstState(game, record.position);
    this.start = record.position;
  }

  get source(): Pick<SearchJob, 'position' | 'moves' | 'seconds'> {
    return { position: this.start, moves: this.moves.join(' '), seconds: this.seconds };
  }

  apply({ action, seconds, illegal }: Step): void {
    this.game.spendTime?.(this.state, seconds);
    this.game.apply(this.state, action);
    this.moves.push(this.game.formatAction(action));
    this.seconds.push(seconds);
    if (illegal === null) return;
    this.start = this.game.formatPosition(this.state);
    this.moves = [];
    this.seconds = [];
  }
}

async function analyzePosition(
  game: Game<unknown>,
  { state, source }: SearchedPosition,
  { lines, limits, seed, think }: GameSearch,
): Promise<PositionAnalysis> {
  const player = game.currentPlayer(state);
  const known = { state: game.clone(state), player };
  const outcome = game.outcome(state);
  if (outcome !== null) return { ...known, value: outcomeTo(player, outcome), lines: [] };
  if (game.countLegalActions(state) === 0) return { ...known, value: null, lines: [] };
  const { candidates } = await think({ ...source, limits, lines, freshSeed: seed });
  return { ...known, value: candidates[0]!.value ?? null, lines: candidates };
}

/** A move between two analysed positions. */
function moveOf(
  step: Step,
  number: string,
  [before, after]: readonly [PositionAnalysis, PositionAnalysis],
): MoveAnalysis {
  const isBest = before.lines[0]?.action === step.action;
  // No supported game lets a player move twice in a row: the next player is the opponent.
  const found = after.value === null ? null : 0 - after.value;
  // The search before the best move has its value.
  const value = isBest ? before.value : found;
  const loss =
    step.illegal !== null || value === null || before.value === null
      ? null
      : Math.max(0, before.value - value);
  return { ...step, number, before, after, value, loss, judgement: loss === null ? null : judge(loss) };
}

/**
 * Searches every position of a record's main line, each independently, so that no result depends on earlier positions.
 *
 * @param force whether to play illegal moves that the game can play.
 * @throws DataError `record-illegal`; errors of `think`.
 */
export async function analyzeGame(
  game: Game<unknown>,
  record: GameRecord,
  force: boolean,
  search: GameSearch,
): Promise<GameAnalysis> {
  const steps = stepsOf(game, record, force);
  const position = new SearchedPosition(game, record);
  const total = steps.length + 1;
  const moves: MoveAnalysis[] = [];
  const isStopped = (): boolean => search.signal.aborted;
  let before = await analyzePosition(game, position, search);
  search.onPosition(1, total);
  for (const [index, step] of steps.entries()) {
    if (isStopped()) break;
    position.apply(step);
    const after = await analyzePosition(game, position, search);
    // The search of this position was stopped in the middle.
    if (isStopped()) break;
    moves.push(moveOf(step, moveNumberAfter(game, record.position, index), [before, after]));
    before = after;
    search.onPosition(index + 2, total);
  }
  return { game, record, agent: search.agent, moves, isComplete: moves.length === steps.length };
}
