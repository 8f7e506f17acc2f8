import * as z from 'zod';
import type { GameRecord, RecordMove } from '../../data/records/record.js';
import { withoutUndefined } from '../../data/records/record.js';
import { DataError } from '../../data/data-error.js';
import { IllegalActionError } from '../../env/errors.js';
import type { Action, Game, Player } from '../../env/game.js';
import { validate } from '../../env/problems-text.js';
import { endOf, pointsOf } from './match-end.js';
import {
  FAULTS,
  type Forfeit,
  GAME_ENDS,
  MAX_MOVE_SECONDS,
  type MatchGame,
  type MatchMove,
  MICRO,
  secondsOf,
} from './match-game.js';

/** A property with one value. */
const one = <T extends z.ZodType>(value: T): z.ZodTuple<[T]> => z.tuple([value]);
const whole = z
  .string()
  .regex(/^\d{1,9}$/)
  .transform(Number);
const decimal = z.string().transform(Number).pipe(z.number());

/** Properties of a match game's record, apart from its moves. */
const RootProperties = z.strictObject({
  PAIR: one(whole),
  /** The first agent's player. */
  AGENT: one(z.enum(['0', '1'])),
  /** Plies before the agents played. */
  OPENING: one(whole),
  END: one(z.enum(GAME_ENDS)),
  POINTS: one(z.enum(['0', '0.5', '1'])),
  /** The moves took time off the clocks; absent without clocks and in games of version 1.0.0. */
  CLOCKS: one(z.literal('1')).optional(),
  /** Thinking time, in seconds, of the move that was too late. */
  LATE: one(decimal.pipe(z.number().min(0))).optional(),
  LATEMOVE: one(z.string()).optional(),
  /** A description of the fault that ended the game. */
  FAULT: one(z.string()).optional(),
});

const MoveProperties = z.strictObject({
  /** Value in [-1, 1] to the player who moved. */
  VALUE: one(decimal.pipe(z.number().min(-1).max(1))),
});

function recordMove(game: Game<unknown>, { action, ms, value }: MatchMove): RecordMove {
  return withoutUndefined({
    move: game.formatAction(action),
    seconds: secondsOf(ms),
    properties: value === undefined ? undefined : { VALUE: [String(value)] },
  });
}

/** The result as a record writes it; undefined at the ply limit. */
function resultOf(game: Game<unknown>, { points, agentPlayer, end }: MatchGame): string | undefined {
  if (end === 'plies') return undefined;
  if (points === 0.5) return 'draw';
  const winner = points === 1 ? agentPlayer : 1 - agentPlayer;
  return game.playerNames[winner]! + (end === 'rules' ? '' : end === 'time' ? '+T' : '+F');
}

/** The texts of the agent and the opponent in the order of the players. */
export function playersOf(
  [agent, opponent]: readonly [string, string],
  agentPlayer: Player,
): [string, string] {
  return agentPlayer === 0 ? [agent, opponent] : [opponent, agent];
}

/**
 * Converts a game of a match to a record with the values and times of its moves (docs/reference/matches.md).
 *
 * @param agents texts of the agent and the opponent.
 */
export function recordOfMatchGame(
  game: Game<unknown>,
  played: MatchGame,
  agents: readonly [string, string],
): GameRecord {
  const { pair, agentPlayer, opening, moves, end, points, fault } = played;
  const late = end === 'time' ? moves.at(-1) : undefined;
  const result = resultOf(game, played);
  return {
    game: game.id,
    rules: game.rules,
    players: playersOf(agents, agentPlayer),
    ...(result !== undefined && { result }),
    properties: {
      PAIR: [String(pair)],
      AGENT: [String(agentPlayer)],
      OPENING: [String(opening.length)],
      END: [end],
      POINTS: [String(points)],
      ...(game.spendTime && { CLOCKS: ['1'] }),
      ...(fault !== undefined && { FAULT: [fault] }),
      ...(late && { LATE: [String(secondsOf(late.ms))], LATEMOVE: [game.formatAction(late.action)] }),
    },
    moves: [
      ...opening.map((action) => ({ move: game.formatAction(action) })),
      ...moves.slice(0, late === undefined ? undefined : -1).map((move) => recordMove(game, move)),
    ],
  };
}

/** A game of a match while it is read from its record. */
class RecordedGame {
  readonly state: unknown;
  readonly moves: MatchMove[] = [];
  private readonly game: Game<unknown>;
  private readonly agentPlayer: Player;

  constructor(game: Game<unknown>, agentPlayer: Player) {
    this.game = game;
    this.agentPlayer = agentPlayer;
    this.state = game.initialState();
  }

  get sideToMove(): 0 | 1 {
    return this.game.currentPlayer(this.state) === this.agentPlayer ? 0 : 1;
  }

  play(action: Action, seconds: number): void {
    this.game.spendTime?.(this.state, seconds);
    this.expectLegal(action);
    this.game.apply(this.state, action);
  }

  /** Records an agent's move, which is played afterwards unless it was too late. */
  add(action: Action, seconds: number, value?: number): void {
    this.expectLegal(action);
    if (seconds > MAX_MOVE_SECONDS) throw wrong(`a move of ${seconds} s`);
    const side = this.sideToMove;
    const ms = Math.round(seconds * MICRO) / 1000;
    this.moves.push({ action, side, ms, ...(value !== undefined && { value }) });
  }

  private expectLegal(action: Action): void {
    if (this.game.outcome(this.state) === null && this.game.isLegal(this.state, action)) return;
    throw new IllegalActionError('illegal-action', `${this.game.formatAction(action)} is not legal`);
  }
}

function wrong(problem: string): DataError {
  return new DataError('record-content', `found ${problem}`);
}

function otherKind(problems: string, cause: z.ZodError): DataError {
  return new DataError('record-content', problems, { cause });
}

/** Reads a loss for a reason outside the rules, and adds a move that was too late; null for any other end. */
function readForfeit(
  game: Game<unknown>,
  played: RecordedGame,
  { END, LATE, LATEMOVE, FAULT }: z.infer<typeof RootProperties>,
): Forfeit | null {
  if (LATE !== undefined && LATEMOVE !== undefined) {
    played.add(game.parseAction(LATEMOVE[0]), LATE[0]);
    return { side: played.moves.at(-1)!.side, end: 'time' };
  }
  if (FAULT === undefined) return null;
  const end = FAULTS.find((name) => name === END[0]);
  if (end === undefined || game.outcome(played.state) !== null)
    throw wrong('a FAULT that does not match END');
  return { side: played.sideToMove, end, fault: FAULT[0] };
}

/**
 * Reads a game from a record of `recordOfMatchGame`: replays its moves and checks its end against the rules.
 *
 * @throws DataError `record-content` for another kind of record, too; IllegalActionError, NotationError for a game that
 *   cannot have been played.
 */
export function gameOfRecord(game: Game<unknown>, record: GameRecord): MatchGame {
  const properties = validate(RootProperties, record.properties, otherKind);
  const { PAIR, AGENT, OPENING, END, POINTS, CLOCKS } = properties;
  if (record.game !== game.id || record.rules !== game.rules) throw wrong('a game with other rules');
  if (OPENING[0] > record.moves.length) throw wrong('fewer moves than OPENING states');
  const agentPlayer = AGENT[0] === '0' ? 0 : 1;
  const played = new RecordedGame(game, agentPlayer);
  const opening: Action[] = [];
  for (const [index, { move = '', seconds = 0, properties }] of record.moves.entries()) {
    const action = game.parseAction(move);
    if (index < OPENING[0]) opening.push(action);
    else {
      const value =
        properties === undefined ? undefined : validate(MoveProperties, properties, otherKind).VALUE[0];
      played.add(action, seconds, value);
    }
    played.play(action, CLOCKS === undefined ? 0 : seconds);
  }
  const forfeit = readForfeit(game, played, properties);
  const { state, moves } = played;
  const end = endOf(game, state, forfeit);
  const points = pointsOf(game, state, { agentPlayer, forfeit });
  if (end !== END[0] || String(points) !== POINTS[0])
    throw wrong('END or POINTS that do not match the moves');
  const fault = forfeit?.fault;
  return { pair: PAIR[0], agentPlayer, opening, moves, end, points, ...(fault !== undefined && { fault }) };
}
