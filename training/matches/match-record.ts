import * as z from 'zod';
import type { GameRecord, RecordMove } from '../../data/records/record.js';
import { withoutUndefined } from '../../data/records/record.js';
import type { Game } from '../../env/game.js';
import { GAME_ENDS, type MatchGame, type MatchMove } from './match-game.js';

/** Digits of seconds in a record: whole microseconds. */
const MICRO = 1e6;

/** A property of one value. */
const one = <T extends z.ZodType>(value: T): z.ZodTuple<[T]> => z.tuple([value]);
const whole = z.string().regex(/^\d+$/).transform(Number);

/** Properties of the record of a game of a match, beside its moves. */
const RootProperties = z.strictObject({
  PAIR: one(whole),
  /** The first agent's player. */
  AGENT: one(z.enum(['0', '1'])),
  /** Plies before the agents played. */
  OPENING: one(whole),
  END: one(z.enum(GAME_ENDS)),
  POINTS: one(z.enum(['0', '0.5', '1'])),
  /** Thinking time, in seconds, of the move that was too late. */
  LATE: one(z.string().transform(Number)).optional(),
  LATEMOVE: one(z.string()).optional(),
});

const MoveProperties = z.strictObject({
  /** Value in [-1, 1] to the player who moved. */
  VALUE: one(z.string().transform(Number)),
});

function secondsOf(ms: number): number {
  return Math.round((ms / 1000) * MICRO) / MICRO;
}

function recordMove(game: Game<unknown>, { action, ms, value }: MatchMove): RecordMove {
  return withoutUndefined({
    move: game.formatAction(action),
    seconds: secondsOf(ms),
    properties: value === undefined ? undefined : { VALUE: [String(value)] },
  });
}

/** The result in the words of a record; undefined at the ply limit. */
function resultOf(game: Game<unknown>, { points, agentPlayer, end }: MatchGame): string | undefined {
  if (end === 'plies') return undefined;
  if (points === 0.5) return 'draw';
  const winner = points === 1 ? agentPlayer : 1 - agentPlayer;
  return game.playerNames[winner]! + (end === 'time' ? '+T' : '');
}

/**
 * A game of a match as a record, with the values and times of its moves (docs/matches.md).
 *
 * @param agents texts of the agent and the opponent.
 */
export function recordOfGame(
  game: Game<unknown>,
  played: MatchGame,
  agents: readonly [string, string],
): GameRecord {
  const { pair, agentPlayer, opening, moves, end, points } = played;
  const late = end === 'time' ? moves.at(-1) : undefined;
  const result = resultOf(game, played);
  return {
    game: game.id,
    rules: game.rules,
    players: agentPlayer === 0 ? [...agents] : [agents[1], agents[0]],
    ...(result !== undefined && { result }),
    properties: {
      PAIR: [String(pair)],
      AGENT: [String(agentPlayer)],
      OPENING: [String(opening.length)],
      END: [end],
      POINTS: [String(points)],
      ...(late && { LATE: [String(secondsOf(late.ms))], LATEMOVE: [game.formatAction(late.action)] }),
    },
    moves: [
      ...opening.map((action) => ({ move: game.formatAction(action) })),
      ...moves.slice(0, late === undefined ? undefined : -1).map((move) => recordMove(game, move)),
    ],
  };
}

/**
 * The game of a record of `recordOfGame`.
 *
 * @throws ZodError if it is another record; NotationError for an unreadable move.
 */
export function gameOfRecord(game: Game<unknown>, record: GameRecord): MatchGame {
  const { PAIR, AGENT, OPENING, END, POINTS, LATE, LATEMOVE } = RootProperties.parse(record.properties);
  const agentPlayer = AGENT[0] === '0' ? 0 : 1;
  const actions = record.moves.map(({ move = '' }) => game.parseAction(move));
  const opening = actions.slice(0, OPENING[0]);
  const state = game.initialState();
  for (const action of opening) game.apply(state, action);
  const moves: MatchMove[] = [];
  const add = (action: number, seconds: number, properties: RecordMove['properties']): void => {
    const side = game.currentPlayer(state) === agentPlayer ? 0 : 1;
    const value = properties === undefined ? {} : { value: MoveProperties.parse(properties).VALUE[0] };
    moves.push({ action, side, ms: Math.round(seconds * MICRO) / 1000, ...value });
  };
  for (const [index, { seconds = 0, properties }] of record.moves.entries()) {
    if (index < opening.length) continue;
    add(actions[index]!, seconds, properties);
    game.apply(state, actions[index]!);
  }
  if (LATE !== undefined && LATEMOVE !== undefined) add(game.parseAction(LATEMOVE[0]), LATE[0], undefined);
  return {
    pair: PAIR[0],
    agentPlayer,
    opening,
    moves,
    end: END[0],
    points: Number(POINTS[0]) as 0 | 0.5 | 1,
  };
}
