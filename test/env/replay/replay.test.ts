import { describe, expect, test } from 'vitest';
import { createGame } from '../../../env/games.js';
import { createReplayAnswerer } from '../../../env/replay/replay-requests.js';
import { positionAfter, replayMoves } from '../../../env/replay/replay.js';
import { PUBLISHED_GAME, PUBLISHED_ILLEGAL_PLY } from '../gess/published-game.js';

const gess = createGame('gess');
const connectFour = createGame('connect-four');

describe('the published game', () => {
  const mate =
    '1w1w7www4/4w6w1ww3/3w7www4/8www7/9ww2w4/6bbwwbbb5/11b6/10bb6/18/18/18/2w1b13/6bw10/5b2w9/3ww1bw1w6b1/' +
    '4w5bbb1b1b1/4w5b1bb1bbb/10bbb1b1b1 b 36';

  test.each(['eureka', 'wikipedia', 'gach', 'sgf'])(
    'under %s stops at the move that goes too far',
    (rules) => {
      const result = replayMoves(createGame('gess', rules), { moves: PUBLISHED_GAME });
      expect(result).toMatchObject({ legal: false, illegalPly: PUBLISHED_ILLEGAL_PLY, outcome: null });
      expect(result.reason).toBe('c17-c7 of white goes 10 squares, but the piece can go at most 9');
      expect(result.legalCounts).toHaveLength(PUBLISHED_ILLEGAL_PLY + 1);
      expect(result.position).toMatch(/ w 25$/);
    },
  );

  test('with force continues to the end past the only illegal move', () => {
    const result = replayMoves(gess, { moves: PUBLISHED_GAME, force: true });
    expect(result).toMatchObject({
      legal: false,
      illegalPly: PUBLISHED_ILLEGAL_PLY,
      outcome: null,
      rings: { black: ['m3'], white: ['n18'] },
      position: mate,
    });
    expect(result.legalCounts).toHaveLength(37);
    const rest = PUBLISHED_GAME.trim()
      .split(/\s+/)
      .slice(PUBLISHED_ILLEGAL_PLY + 1);
    const before = PUBLISHED_GAME.trim()
      .split(/\s+/)
      .slice(0, PUBLISHED_ILLEGAL_PLY + 1);
    const { position } = replayMoves(gess, { moves: before.join(' '), force: true });
    expect(replayMoves(gess, { moves: rest.join(' '), position }).legal).toBe(true);
  });

  test('ends with mate: after every reply, Black loses the ring at once or to White’s next move', () => {
    const state = gess.parsePosition(mate);
    const replies = new Int32Array(gess.maxLegalActions);
    const answers = new Int32Array(gess.maxLegalActions);
    const count = gess.legalActions(state, replies);
    expect(count).toBe(255);
    for (const reply of replies.subarray(0, count)) {
      gess.apply(state, reply);
      const lost = gess.outcome(state) === -1 || canWin(answers);
      gess.undo(state);
      expect([gess.formatAction(reply), lost]).toEqual([gess.formatAction(reply), true]);
    }

    function canWin(out: Int32Array): boolean {
      return out.subarray(0, gess.legalActions(state, out)).some((action) => {
        gess.apply(state, action);
        const wins = gess.outcome(state) === -1;
        gess.undo(state);
        return wins;
      });
    }
  });
});

test('a move after the end of the game is illegal', () => {
  expect(replayMoves(connectFour, { moves: '0 1 0 1 0 1 0 1' })).toEqual({
    legal: false,
    illegalPly: 7,
    reason: '1 of yellow comes after the end of the game',
    outcome: 'red',
    legalCounts: [7, 7, 7, 7, 7, 7, 7, 0],
    position: '......./......./r....../ry...../ry...../ry.....',
  });
});

test('a move that no rule of the game can play is not forced', () => {
  const result = replayMoves(connectFour, { moves: '3 3 3 3 3 3 3 0', force: true });
  expect(result).toMatchObject({ illegalPly: 6, reason: '3 of red goes to a full column' });
  expect(result.legalCounts).toHaveLength(7);
});

test.each([
  ['a10-a11', "starts from a footprint without a stone of the mover's"],
  ['l15-l14', "starts from a footprint with a stone of the opponent's"],
  ['f6-e6', 'goes W, where the piece has no stone'],
  ['f6-f10', 'goes 4 squares, but the piece can go at most 3'],
])('%s is illegal because it %s', (move, reason) => {
  expect(replayMoves(gess, { moves: move }).reason).toBe(`${move} of black ${reason}`);
});

test('reasons depend on the rules', () => {
  expect(replayMoves(createGame('gess', 'sgf'), { moves: 'b1-b2' }).reason).toContain('starts off the board');
  expect(replayMoves(createGame('gess', 'osu'), { moves: 'm5-m4' }).reason).toContain('breaks the mover');
});

test('the error of a malformed move has its index', () => {
  expect(() => replayMoves(gess, { moves: 'f6-f7 p15-q99' })).toThrow(
    expect.objectContaining({
      code: 'action-syntax',
      message: expect.stringMatching(/^move 2: /) as string,
    }),
  );
});

test('positionAfter keeps the moves as history and refuses illegal ones', () => {
  expect(gess.historyLength(positionAfter(gess, { moves: ' f6-f7\n\tp15-m12 ' }))).toBe(2);
  expect(() => positionAfter(gess, { moves: 'f6-f17' })).toThrow(
    expect.objectContaining({ code: 'illegal-action' }),
  );
  expect(() => positionAfter(connectFour, { moves: '0 1 0 1 0 1 0 1' })).toThrow(
    expect.objectContaining({ code: 'game-over' }),
  );
});

test('requests are answered line by line, invalid ones by an error code', () => {
  const answer = createReplayAnswerer();
  const code = (line: string): unknown =>
    (JSON.parse(answer(line)) as { error?: { code: string } }).error?.code;
  expect(code('nonsense')).toBe('request-syntax');
  expect(code('{"moves": 3}')).toBe('request-syntax');
  expect(code('{"movs": ""}')).toBe('request-syntax');
  expect(code('{"game": "go"}')).toBe('game-unknown');
  expect(code('{"rules": "toString"}')).toBe('rules-unknown');
  expect(code('{"moves": "f6"}')).toBe('action-syntax');
  expect(code('{"position": "18/18 b 0"}')).toBe('position-size');
  const request = { game: 'gess', rules: 'eureka', moves: 'f6-f7', force: false };
  expect(JSON.parse(answer(JSON.stringify(request)))).toEqual(replayMoves(gess, { moves: 'f6-f7' }));
});
