import type { Candidate, Thought } from '../../../agents/thinking/thinking.js';
import { type Action, type Game, opponentOf } from '../../../env/game.js';
import { lineJson } from './analysis-json.js';
import { formatLine, formatValue } from './analysis-words.js';
import { countOf } from '../../../env/text/count-of.js';

/** A searched position. */
export interface FoundPosition {
  readonly game: Game<unknown>;
  readonly state: unknown;
  /** The agent's text with defaults filled in. */
  readonly agent: string;
  readonly thought: Thought;
  readonly milliseconds: number;
}

/** The best line. */
export function mainLineOf({ thought }: FoundPosition): readonly Action[] {
  return thought.candidates[0]!.principalVariation;
}

/** The position after the first `plies` moves of the best line. */
export function positionAlong(found: FoundPosition, plies: number): unknown {
  const { game, state } = found;
  const end = game.clone(state);
  for (const action of mainLineOf(found).slice(0, plies)) game.apply(end, action);
  return end;
}

/** Which position a board shows: that after the first `plies` moves of the best line. */
export function boardTitle(found: FoundPosition, plies: number): string {
  const { length } = mainLineOf(found);
  if (plies === 0) return 'the position:';
  if (plies >= length) return 'after the line:';
  return `after ${plies} of the ${length} moves of the line:`;
}

function workOf({
  depth,
  nodes,
  simulations,
  visits,
}: Thought): Readonly<Record<string, number | undefined>> {
  return { depth, nodes, simulations, visits };
}

/** The position and its lines as JSON. */
export function positionJson(found: FoundPosition): Readonly<Record<string, unknown>> {
  const { game, state, agent, thought, milliseconds } = found;
  const [best] = thought.candidates as readonly [Candidate, ...Candidate[]];
  const { evaluation, pliesToEnd, prior } = best;
  const line = mainLineOf(found);
  return {
    game: game.id,
    rules: game.rules,
    position: game.formatPosition(state),
    player: game.playerNames[game.currentPlayer(state)],
    agent,
    move: game.formatAction(best.action),
    value: best.value ?? null,
    ...workOf(thought),
    ...{ evaluation, pliesToEnd, prior, milliseconds },
    principalVariation: line.map((action) => game.formatAction(action)),
    endPosition: game.formatPosition(positionAlong(found, line.length)),
    lines: thought.candidates.map((candidate) => lineJson(game, candidate)),
  };
}

/** `value +0.250 to black`, or the number of plies to the win. */
function describeWorth({ game, state }: FoundPosition, { value, pliesToEnd }: Candidate): string {
  const player = game.currentPlayer(state);
  if (pliesToEnd !== undefined) {
    const winner = game.playerNames[value === 1 ? player : opponentOf(player)];
    return `${winner} wins in ${countOf(pliesToEnd, 'ply')}`;
  }
  if (value === undefined) return 'no opinion';
  return `value ${formatValue(value)} to ${game.playerNames[player]}`;
}

/** `evaluation 12`, `visits 40`, `prior 0.100`. */
function figuresOf({ evaluation, visits, prior }: Candidate): readonly string[] {
  return [
    ...(evaluation === undefined ? [] : [`evaluation ${evaluation}`]),
    ...(visits === undefined ? [] : [`visits ${visits}`]),
    ...(prior === undefined ? [] : [`prior ${prior.toFixed(3)}`]),
  ];
}

function describeOther(found: FoundPosition, candidate: Candidate, index: number): string {
  const figures = [describeWorth(found, candidate), ...figuresOf(candidate)].join(', ');
  return `${index + 2}. ${formatLine(found.game, candidate)} (${figures})`;
}

/** The agent, the value of the position, and the work of the search: three lines. */
export function describeSearch(found: FoundPosition): string {
  const { agent, thought, milliseconds } = found;
  const [best] = thought.candidates as readonly [Candidate, ...Candidate[]];
  const { visits, ...work } = workOf(thought);
  const figures = Object.entries({ ...work, 'visits of all moves': visits })
    .filter(([, figure]) => figure !== undefined)
    .map(([name, figure]) => `${name} ${figure!}`);
  return [
    agent,
    describeWorth(found, best),
    [...figures, ...figuresOf(best), `${Math.round(milliseconds)} ms`].join(', '),
  ].join('\n');
}

/** The position and its lines for people. */
export function describePosition(found: FoundPosition): string {
  const { game, state, thought } = found;
  const [best, ...others] = thought.candidates as readonly [Candidate, ...Candidate[]];
  return [
    describeSearch(found),
    `${game.playerNames[game.currentPlayer(state)]} plays ${game.formatAction(best.action)}`,
    `line ${formatLine(game, best)}`,
    ...others.map((candidate, index) => describeOther(found, candidate, index)),
  ].join('\n');
}
