import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { createGame } from '../../../env/games.js';
import { readRunConfig } from '../../../training/config/config-file.js';
import { RunConfig } from '../../../training/config/run-config.js';
import {
  gameOfModule,
  isModulePath,
  loadedGameModules,
  loadGameModule,
  moduleOfGame,
} from '../../../training/games/game-module.js';
import { builtModule } from '../../package/built-module.js';

const folder = mkdtempSync(join(tmpdir(), 'gess-games-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});
const CONNECT_FOUR = builtModule('env/connect-four/connect-four.js');

/** Writes a module of a game that is Connect Four under another id; returns its path. */
function writeGame(id: string, name = `${id}.mjs`): string {
  const path = join(folder, name);
  writeFileSync(
    path,
    `import { connectFour } from ${JSON.stringify(CONNECT_FOUR)};
    const game = { ...connectFour, id: '${id}' };
    export default { id: '${id}', create: () => game };`,
  );
  return path;
}

function writeConfig(name: string, game: object): string {
  const path = join(folder, name);
  writeFileSync(path, JSON.stringify({ game }));
  return path;
}

test.each([
  ['gess', false],
  ['connect-four', false],
  ['./my-game.mjs', true],
  ['my-game.js', true],
  ['games/four', true],
  ['C:\\games\\four.mjs', true],
])('%s is the path of a module: %s', (text, isPath) => {
  expect(isModulePath(text)).toBe(isPath);
});

test('a module is loaded once and knows its game', async () => {
  const path = writeGame('module-four');
  expect(await loadGameModule(path)).toBe('module-four');
  expect(await loadGameModule(path)).toBe('module-four');
  expect(createGame('module-four').id).toBe('module-four');
  expect(gameOfModule(path)).toBe('module-four');
  expect(moduleOfGame('module-four')).toBe(path);
  expect(loadedGameModules().filter((each) => each === path)).toHaveLength(1);
});

describe('a module is refused', () => {
  const definition = CONNECT_FOUR.replace('four.js', 'four-definition.js');
  const cases: readonly (readonly [name: string, code: string, expected: string, message: RegExp])[] = [
    ['that fails', "throw new Error('no luck');", 'game-module', /that fails\.mjs: no luck$/],
    ['that throws null', 'throw null;', 'game-module', /null\.mjs: null$/],
    [
      'that throws a proxy',
      'const refuse = () => { throw null; }; throw new Proxy({}, { get: refuse, getPrototypeOf: refuse });',
      'game-module',
      /proxy\.mjs: an error without a readable message$/,
    ],
    [
      'whose definition throws a proxy',
      `const refuse = () => { throw new Proxy({}, { get: refuse, getPrototypeOf: refuse }); };
      export default { get id() { return refuse(); } };`,
      'game-invalid',
      /without a readable message$/,
    ],
    [
      'whose definition has a method then',
      'export default { then() {} };',
      'game-invalid',
      /expected id as lower-case words .*, got nothing$/,
    ],
    ['that is not JavaScript', 'export default {', 'game-module', /JavaScript\.mjs: /],
    ['without a default export', 'export const game = {};', 'game-invalid', /got nothing$/],
    ['of another kind', "export default { id: 'Four' };", 'game-invalid', /kind\.mjs: .*'Four'$/],
    [
      'with the id of a built-in game',
      `import { connectFourDefinition } from ${JSON.stringify(definition)};
      export default { ...connectFourDefinition, environments: {} };`,
      'game-exists',
      /'connect-four' is built in$/,
    ],
  ];
  test.each(cases)('%s', async (name, code, expected, message) => {
    const path = join(folder, `${name}.mjs`);
    writeFileSync(path, code);
    const loading = loadGameModule(path);
    await expect(loading).rejects.toMatchObject({ code: expected });
    await expect(loading).rejects.toThrow(message);
  });

  test('that never finishes', async () => {
    const path = join(folder, 'never.mjs');
    writeFileSync(path, 'await new Promise(() => {});');
    const loading = loadGameModule(path, 200);
    await expect(loading).rejects.toMatchObject({ code: 'game-module' });
    await expect(loading).rejects.toThrow(/expected it to load within 0\.2 s/);
  });

  test('that does not exist', async () => {
    await expect(loadGameModule(join(folder, 'none.mjs'))).rejects.toMatchObject({ code: 'game-module' });
  });

  test('with the id of another module', async () => {
    await loadGameModule(writeGame('twice-four'));
    await expect(loadGameModule(writeGame('twice-four', 'copy.mjs'))).rejects.toMatchObject({
      code: 'game-exists',
    });
  });
});

describe('a configuration', () => {
  test('names a module relative to its own folder', async () => {
    const module = writeGame('configured-four');
    const { game } = await readRunConfig(writeConfig('a.json', { module: 'configured-four.mjs' }));
    expect(game).toEqual({ id: 'configured-four', rules: 'default', module });
    expect(RunConfig.parse({ game }).game).toEqual(game);
  });

  test('takes its module from an assignment', async () => {
    const module = writeGame('assigned-four');
    const path = writeConfig('b.json', {});
    const { game } = await readRunConfig(path, [`game.module=${module}`]);
    expect(game).toEqual({ id: 'assigned-four', rules: 'default', module });
  });

  test('is refused if the module defines another game, or is not loaded', async () => {
    writeGame('other-four');
    await expect(
      readRunConfig(writeConfig('c.json', { id: 'gess', module: 'other-four.mjs' })),
    ).rejects.toThrow(/expected 'other-four'.*got 'gess'/);
    const { error } = RunConfig.safeParse({ game: { module: './unknown.mjs' } });
    expect(error?.issues).toMatchObject([{ path: ['game'] }]);
    expect(RunConfig.safeParse({ game: { id: 'chess' } }).error?.issues).toMatchObject([{ path: ['game'] }]);
  });

  test('keeps a game that was loaded from another place', async () => {
    const module = writeGame('moved-four');
    await loadGameModule(module);
    const { game } = await readRunConfig(
      writeConfig('d.json', { id: 'moved-four', module: 'old/place.mjs' }),
    );
    expect(game).toEqual({ id: 'moved-four', rules: 'default', module });
  });
});
