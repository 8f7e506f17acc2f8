import { describe, expect, test } from 'vitest';
import { START, after, bytes, outcomeAfter, quess, timed } from './quess-games.js';

describe('clocks (Q6)', () => {
  test('there is none without the setting', () => {
    expect('spendTime' in quess).toBe(false);
    expect('clocks' in quess.describe!(quess.initialState())).toBe(false);
  });

  test('time is taken off the clock of the player to move, in whole milliseconds', () => {
    const state = timed.initialState();
    timed.spendTime!(state, 0.5004);
    timed.apply(state, timed.parseAction('F2-D3'));
    timed.spendTime!(state, 60);
    timed.spendTime!(state, 0.25);
    expect(timed.formatPosition(state)).toBe('3tcs/4tc/5t/T1C3/CT4/S1T3 d 1 179.5 119.75');
    expect(timed.describe!(state)).toMatchObject({ clocks: { light: 179.5, dark: 119.75 } });
    expect(timed.render(state)).toContain('seconds left: light 179.5, dark 119.75');
  });

  test('undo restores the time of its move and the time spent since', () => {
    const state = timed.initialState();
    const before = bytes(state);
    timed.spendTime!(state, 7);
    timed.apply(state, timed.parseAction('F2-D3'));
    const between = bytes(state);
    timed.spendTime!(state, 8);
    timed.apply(state, timed.parseAction('B6-C4'));
    timed.undo(state);
    expect(bytes(state)).toEqual(between);
    timed.spendTime!(state, 9);
    timed.undo(state);
    expect(bytes(state)).toEqual(before);
  });

  test.each([
    ['light', '', 1, -1],
    ['dark', 'F2-D3', 1, 1],
  ])('%s, who has no time left, has lost', (_who, moves, milliseconds, outcome) => {
    const state = after(moves, undefined, timed);
    timed.spendTime!(state, 180 - milliseconds / 1000);
    expect(timed.outcome(state)).toBeNull();
    timed.spendTime!(state, milliseconds / 1000);
    expect([timed.outcome(state), timed.countLegalActions(state)]).toEqual([outcome, 0]);
    expect(timed.isLegal(state, timed.parseAction('F2-D3'))).toBe(false);
    timed.spendTime!(state, 1);
    expect(timed.formatPosition(state)).toMatch(/ 0( 180)?$/);
    expect(timed.outcome(timed.parsePosition(timed.formatPosition(state)))).toBe(outcome);
    if (moves === '') return;
    timed.undo(state);
    expect([timed.outcome(state), timed.formatPosition(state)]).toEqual([null, `${START} l 0 180 180`]);
  });

  test.each([
    ['won by the zone', 'B4-B5', '6/3T2/5T/6/6/1t1t1c l 20 5 4', 1],
    ['drawn', 'D4-D5', '6/6/6/3Sc1/6/5t l 9 5 5', 0],
  ])('a game %s uses no more time', (_how, moves, position, outcome) => {
    const state = after(moves, position, timed);
    const before = timed.formatPosition(state);
    timed.spendTime!(state, 100);
    expect([timed.outcome(state), timed.formatPosition(state)]).toEqual([outcome, before]);
  });

  test('a draw does not save a player whose clock ran out', () => {
    expect(timed.outcome(timed.parsePosition('s5/6/6/6/6/5S l 40 0 3'))).toBe(-1);
    expect(timed.outcome(timed.parsePosition('s5/6/6/6/6/5S l 40 3 0'))).toBe(1);
  });

  test.each([
    ['5', '5', 0],
    ['5.001', '5', 1],
    ['4.999', '5', -1],
  ])('with one piece a side, %s against %s seconds', (light, dark, outcome) => {
    expect(outcomeAfter('D4-D5', `6/6/6/3Sc1/6/5t l 9 ${light} ${dark}`, timed)).toBe(outcome);
  });

  test('the time of the last capture counts in that draw', () => {
    const state = timed.parsePosition('6/6/6/3Sc1/6/5t l 9 5 4.5');
    timed.spendTime!(state, 1);
    timed.apply(state, timed.parseAction('D4-D5'));
    expect(timed.outcome(state)).toBe(-1);
  });

  test('planes, bytes and the observation hash depend on it, the board’s hash does not', () => {
    const [one, two] = ['180 90', '180 91'].map((clocks) => timed.parsePosition(`${START} l 0 ${clocks}`));
    const planes = new Float32Array(6 * 6 * 20);
    timed.observe(one!, planes, 0);
    expect([...planes.slice(16, 19)]).toEqual([1, 0.5, 1]);
    timed.observe(one!, planes, 0, 1);
    expect([...planes.slice(16, 19)]).toEqual([0.5, 1, 1]);
    expect(timed.observationHash(one!)).not.toBe(timed.observationHash(two!));
    expect(timed.hash(one!)).toBe(timed.hash(two!));
    const packed = new Uint8Array(timed.packedSize);
    timed.pack(one!, packed, 0);
    const copy = timed.initialState();
    timed.unpack(packed, 0, copy);
    expect(timed.formatPosition(copy)).toBe(`${START} l 0 180 90`);
  });
});
