import { expect, test } from 'vitest';
import { createGame } from '../../../env/games.js';
import { PlaySession, type Seat } from '../../../scripts/play/play-session.js';

const connectFour = createGame('connect-four');

function sessionOf(seats: readonly [Seat, Seat], moves: string, start?: string): PlaySession {
  const session = new PlaySession(connectFour, { seats, start });
  for (const move of moves) session.play(connectFour.parseAction(move));
  return session;
}

test('undo takes back a pair against an agent, and one move between people', () => {
  const against = sessionOf(['person', 'agent'], '3344');
  expect(against.undo()).toBe(2);
  expect(against.line).toBe('3 3');
  expect(against.awaitsAgent).toBe(false);
  const between = sessionOf(['person', 'person'], '3344');
  expect(between.undo()).toBe(1);
  expect(between.line).toBe('3 3 4');
});

test('undo during the agent’s turn takes back the move that the agent was to answer', () => {
  const session = sessionOf(['person', 'agent'], '334');
  expect(session.awaitsAgent).toBe(true);
  expect(session.undo()).toBe(1);
  expect(session.line).toBe('3 3');
});

test('the first move of an agent is not taken back', () => {
  const session = sessionOf(['agent', 'person'], '3');
  expect(session.undo()).toBe(0);
  expect(session.line).toBe('3');
});

test('redo plays again what undo took back; a new move forgets it', () => {
  const session = sessionOf(['person', 'agent'], '334455');
  session.undo();
  session.undo();
  expect(session.redo()).toBe(2);
  expect(session.line).toBe('3 3 4 4');
  expect(session.redo()).toBe(2);
  expect(session.redo()).toBe(0);
  session.undo();
  session.play(0);
  expect(session.redo()).toBe(0);
  expect(session.line).toBe('3 3 4 4 0');
});

test('a resignation and an agreed draw end the game, and undo takes them back alone', () => {
  const session = sessionOf(['person', 'person'], '33');
  session.agree({ kind: 'resigned', by: 0 });
  expect([session.isOver, session.result]).toEqual([true, 'yellow+R']);
  expect(session.undo()).toBe(0);
  expect([session.isOver, session.result, session.line]).toEqual([false, null, '3 3']);
  session.agree({ kind: 'draw' });
  expect(session.record().result).toBe('draw');
});

test('a record has the start, the moves with their notes, and the result by the rules', () => {
  const start = '......./......./......./......./......./ry.....';
  const session = sessionOf(['person', 'agent'], '', start);
  session.play(0, { comment: 'up' });
  for (const move of [1, 0, 1, 0]) session.play(move);
  expect(session.record({ event: 'test' })).toEqual({
    event: 'test',
    game: 'connect-four',
    rules: 'standard',
    position: start,
    result: 'red',
    moves: [{ move: '0', comment: 'up' }, { move: '1' }, { move: '0' }, { move: '1' }, { move: '0' }],
  });
});
