import { join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
/** Global variable under which each tested script is a library. */
const LIBRARY = 'gessZero';

/** Bundles modules for a browser; any import of a Node module is an error of esbuild. */
async function bundle(modules: readonly string[]): Promise<string> {
  const contents = modules.map((module) => `export * from './${module}';`).join('\n');
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: root, loader: 'ts' },
    bundle: true,
    write: false,
    minify: true,
    format: 'iife',
    globalName: LIBRARY,
    platform: 'browser',
    target: 'es2023',
    logLevel: 'silent',
  });
  return outputFiles[0]!.text;
}

/** Runs a bundle and then `code`, which may use the bundle's exports, without Node's globals. */
function runInBrowser(script: string, code: string): unknown {
  const context = createContext({ performance });
  runInContext(script, context);
  return runInContext(`(async ({ ${LIBRARY} }) => { ${code} })(globalThis)`, context);
}

/** Plays a game to its end with the bundle's rules. */
const PLAY_BY_RULES = `
  const game = ${LIBRARY}.createGess({ plyLimit: 60 });
  const state = game.initialState();
  const legal = new Int32Array(game.maxLegalActions);
  while (game.outcome(state) === null && game.ply(state) < game.plyLimit) {
    game.apply(state, legal[game.legalActions(state, legal) >> 1]);
  }
  return game.historyLength(state) > 10;
`;

/** Lets each agent of the bundle play a move; the network's session returns zeros. */
const PLAY_BY_AGENTS = `
  const { createGess, createAgent, createRng } = ${LIBRARY};
  const game = createGess();
  const any = -1;
  const openModel = async () => ({
    source: 'zeros',
    inputs: new Map([['observation', [any, ...game.observationShape]], ['legal', [any, any]]]),
    outputs: new Map([['legalLogits', [any, any]], ['outcome', [any, 3]]]),
    run: async ({ observation, legal }) => new Map([
      ['legalLogits', new Float32Array(legal.data.length)],
      ['outcome', new Float32Array(3 * observation.shape[0])],
    ]),
    dispose: async () => {},
  });
  for (const text of ['greedy', 'alphabeta:depth=1', 'mcts:simulations=4', 'mcts:model=zeros,simulations=4']) {
    const agent = await createAgent(text, game, openModel);
    const state = game.initialState();
    const [choice] = await agent.chooseAll([{ state, rng: createRng(1) }]);
    if (!game.isLegal(state, choice.action)) return false;
    await agent.dispose();
  }
  return true;
`;

/** Makes the first network of a run; learning needs TensorFlow.js, which is not part of the bundle. */
const BEGIN_LEARNING = `
  const { LearningRun, connectFour } = ${LIBRARY};
  const run = new LearningRun({ tf: null, game: connectFour, seed: 1, breathe: async () => {} });
  return run.weights.length > 10000 && run.weights.every(Number.isFinite) && run.weights.some((each) => each !== 0);
`;

test.each([
  { name: "Gess's rules", modules: ['env/gess/gess.js'], code: PLAY_BY_RULES, limitKilobytes: 60 },
  {
    name: 'alpha-beta, tree search and network evaluation of Gess',
    modules: ['env/gess/gess.js', 'env/random.js', 'agents/create-agent.js'],
    code: PLAY_BY_AGENTS,
    limitKilobytes: 80,
  },
  {
    name: "the laboratory's self-play, learning and matches",
    modules: [
      'env/connect-four/connect-four.js',
      'web/rooms/laboratory/learning-run.js',
      'web/rooms/laboratory/judge.js',
    ],
    code: BEGIN_LEARNING,
    limitKilobytes: 60,
  },
])(
  'in a browser: $name, at most $limitKilobytes kB gzipped',
  async ({ name, modules, code, limitKilobytes }) => {
    const script = await bundle(modules);
    const kilobytes = gzipSync(script).length / 1000;
    console.log(`browser bundle: ${name}: ${kilobytes.toFixed(1)} kB gzipped`);
    expect(kilobytes).toBeLessThanOrEqual(limitKilobytes);
    await expect(runInBrowser(script, code)).resolves.toBe(true);
  },
);

test('a bundle that needs Node fails', async () => {
  await expect(bundle(['data/files/atomic-file.js'])).rejects.toThrow(/Could not resolve "node:/);
});
