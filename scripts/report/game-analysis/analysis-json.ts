import type { SearchedMove } from '../../../agents/thinking/best-replies.js';
import type { Candidate } from '../../../agents/thinking/thinking.js';
import type { Game } from '../../../env/game.js';
import { summarizePlayer } from './analysis-words.js';
import type { GameAnalysis, MoveAnalysis } from './game-analysis.js';
import { JUDGEMENTS } from '../../../session/judgement.js';

/** A move of a search's tree as JSON; its value is to the player who makes it. */
function replyJson(game: Game<unknown>, { action, replies, ...move }: SearchedMove): object {
  return {
    move: game.formatAction(action),
    ...move,
    replies: replies.map((reply) => replyJson(game, reply)),
  };
}

/** A line of a search as JSON. */
export function lineJson(game: Game<unknown>, candidate: Candidate): Readonly<Record<string, unknown>> {
  const { action, value, evaluation, pliesToEnd, visits, prior, principalVariation, replies } = candidate;
  return {
    move: game.formatAction(action),
    value: value ?? null,
    evaluation,
    pliesToEnd,
    visits,
    prior,
    principalVariation: principalVariation.map((each) => game.formatAction(each)),
    replies: replies?.map((reply) => replyJson(game, reply)),
  };
}

function moveJson(game: Game<unknown>, move: MoveAnalysis): Readonly<Record<string, unknown>> {
  const { number, action, before, value, loss, judgement, illegal } = move;
  const [best] = before.lines;
  return {
    number,
    player: game.playerNames[before.player],
    move: game.formatAction(action),
    legal: illegal === null,
    value,
    loss,
    judgement: judgement?.name ?? null,
    best: best === undefined ? null : game.formatAction(best.action),
    position: game.formatPosition(before.state),
    lines: before.lines.map((line) => lineJson(game, line)),
  };
}

/** The analysis of a game as JSON; values are in [-1, 1] to the player who moves. */
export function gameJson(analysis: GameAnalysis): Readonly<Record<string, unknown>> {
  const { game, record, agent, moves, isComplete } = analysis;
  return {
    game: game.id,
    rules: game.rules,
    players: record.players ?? null,
    agent,
    complete: isComplete,
    judgements: Object.fromEntries(JUDGEMENTS.map(({ name, least }) => [name, least])),
    summary: ([0, 1] as const).map((player) => summarizePlayer(analysis, player)),
    moves: moves.map((move) => moveJson(game, move)),
  };
}
