import type { Command } from '@commander-js/extra-typings';
import { CACHE_SIZE } from '../../../training/play/cache-size.js';
import { EvaluationBatch } from '../../../agents/evaluators/evaluator.js';
import { NetworkEvaluator } from '../../../agents/evaluators/network-evaluator.js';
import { listShardsOfDatasets } from '../../../data/datasets/dataset-folder.js';
import { GameRegister } from '../../../data/datasets/game-register.js';
import { checkShardRows } from '../../../data/shards/shard-check.js';
import { type ListingObserver, readShardFile } from '../../../data/shards/shard.js';
import { createGame } from '../../../env/games.js';
import type { Game } from '../../../env/game.js';
import { createRng } from '../../../env/random.js';
import { openModelFile } from '../../../training/export/model-file.js';
import { measureRegret, type TargetRegret } from '../../../training/matches/target-regret.js';
import type { OptionsOf } from '../../usage/lazy-commands.js';
import { gameOption, rulesOption } from '../../options/game-options.js';
import { positiveNumber, seedNumber } from '../../options/numbers.js';
import { parseSearchText } from '../../options/search-text.js';
import type { Output } from '../../output.js';
import { createProgress } from '../../progress/progress.js';
import { listingNotes } from '../../progress/listing-notes.js';
import { listenForStop } from '../../stopping/stop-signal.js';

/** Positions that the network evaluates together. */
const BATCH_SIZE = 16;
const BATCH_CAPACITY = 64;

const declareFlags = (command: Command) =>
  command
    .requiredOption(
      '--model <path>',
      'network: the name of a shipped one such as gess, an ONNX file, or the folder of a checkpoint or an export',
    )
    .requiredOption('--data <paths...>', 'shards, or their folders: positions are sampled from them')
    .requiredOption(
      '--search <texts...>',
      'settings of searches, such as root=gumbel,simulations=32,gumbelScale=1',
    )
    .option('--positions <n>', 'number of positions', positiveNumber, 200)
    .option('--simulations <n>', 'simulations of the search that judges a move', positiveNumber, 96)
    .option('--seed <n>', 'seed of the positions and of the noise', seedNumber, 1)
    .option('--json', 'print a JSON object for each search')
    .addOption(gameOption)
    .addOption(rulesOption);

type RegretOptions = OptionsOf<typeof declareFlags>;

/** Samples positions of unfinished games from the rows of shards. */
async function samplePositions(
  game: Game<unknown>,
  { data, positions, seed, onUnfinished }: RegretOptions & ListingObserver,
): Promise<readonly unknown[]> {
  const rows: Uint8Array[] = [];
  const games = new GameRegister();
  for (const path of await listShardsOfDatasets(data, { onUnfinished })) {
    const shard = await readShardFile(path, game);
    checkShardRows(path, shard);
    games.add(path, shard);
    // A copy: a view would keep the whole shard in memory.
    const packed = shard.columns.positions.slice();
    for (let start = 0; start < packed.length; start += game.packedSize)
      rows.push(packed.subarray(start, start + game.packedSize));
  }
  const rng = createRng(seed, 'positions');
  return Array.from({ length: Math.min(positions, rows.length) }, () => {
    const state = game.initialState();
    game.unpack(rows[rng.integer(rows.length)]!, 0, state);
    return state;
  });
}

function describe(regret: TargetRegret): string {
  const figure = (value: number): string => value.toFixed(4);
  const { policyDifference, policyDifferenceError } = regret;
  return (
    `${regret.name}, ${regret.positions} positions: regret of the policy ${figure(regret.policyRegret)} ` +
    `(${figure(policyDifference)} ± ${figure(policyDifferenceError)} to the first search), ` +
    `of its best move ${figure(regret.bestRegret)}, of the search's move ${figure(regret.moveRegret)}, ` +
    `without noise ${figure(regret.noiselessRegret)}; errors of the root's value ${figure(regret.rootError)} ` +
    `(bias ${figure(regret.rootBias)}), of the policy's ${figure(regret.valueError)} (bias ${figure(regret.valueBias)})`
  );
}

async function runRegret(output: Output, options: RegretOptions): Promise<void> {
  const searches = options.search.map((text) => ({ name: text, ...parseSearchText(text) }));
  const game = createGame(options.game, options.rules);
  const states = await samplePositions(game, { ...options, ...listingNotes(output) });
  const session = await openModelFile(options.model, game);
  const evaluator = await NetworkEvaluator.create(game, session, {
    batchSize: BATCH_SIZE,
    cacheSize: CACHE_SIZE,
  });
  const progress = createProgress(output, 'positions');
  const stop = listenForStop(output, {
    hint: 'The figures of the positions so far follow.',
    action: 'finishing the position in progress',
  });
  try {
    progress.start(`gess: ${states.length} positions`);
    const batch = new EvaluationBatch(game, BATCH_CAPACITY, evaluator);
    const { simulations, seed } = options;
    const onPosition = (done: number): void => {
      progress.update(done, states.length);
      if (done === states.length) stop.done();
    };
    const regrets = await measureRegret(game, states, searches, {
      ...{ evaluator, batch, simulations, seed, onPosition, signal: stop.signal },
    });
    progress.stop();
    for (const regret of regrets.filter(({ positions }) => positions > 0)) {
      output.result(options.json === true ? JSON.stringify(regret) : describe(regret));
    }
  } finally {
    progress.stop();
    stop.dispose();
    await evaluator.dispose();
  }
}

/** `gess regret`: how far the learning targets that searches make are from the best moves and values. */
export function defineRegret(command: Command, output: Output): void {
  declareFlags(command).action((options) => runRegret(output, options));
}
