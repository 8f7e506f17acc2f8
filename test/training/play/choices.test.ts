import { setImmediate } from 'node:timers';
import { expect, test } from 'vitest';
import { createAgent } from '../../../agents/create-agent.js';
import { connectFour } from '../../../env/connect-four/connect-four.js';
import { createRng } from '../../../env/random.js';
import { chooseForAll } from '../../../training/play/choices.js';

test('the event loop runs between choices, and the choices equal those of chooseAll', async () => {
  const agent = await createAgent('alphabeta:depth=3', connectFour);
  const turns = Array.from({ length: 6 }, (_, index) => {
    const state = connectFour.initialState();
    for (let column = 0; column < index; column++) connectFour.apply(state, column);
    return { state, rng: createRng(1, 'choices', index) };
  });
  let turnsOfTheLoop = 0;
  let isOver = false;
  const count = (): void => {
    turnsOfTheLoop += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const choices = await chooseForAll(agent, turns);
  isOver = true;
  expect(turnsOfTheLoop).toBeGreaterThanOrEqual(turns.length);
  expect(choices.map(({ action }) => action)).toEqual(
    (await agent.chooseAll(turns)).map(({ action }) => action),
  );
});
