import type { Command } from '@commander-js/extra-typings';
import { expectPlaceForOutput, makeOutputFolder } from '../../../data/files/output-folder.js';
import { sha256 } from '../../../data/files/sealed-json.js';
import { createGame } from '../../../env/games.js';
import { encodePatternWeights } from '../../../env/gess/heuristics/patterns/pattern-weights.js';
import {
  type Distillation,
  distillFromShards,
} from '../../../training/tuning/patterns/shard-distillation.js';
import { patternsFolder } from '../../../training/inference/package-models.js';
import {
  expectNoPatternNetwork,
  readPatternNetwork,
  writePatternNetwork,
} from '../../../training/inference/pattern-file.js';
import { softwareVersion } from '../../../training/software-version.js';
import type { OptionsOf } from '../../usage/lazy-commands.js';
import { positiveNumber, seedNumber, shareOfOne, wholeNumberFrom } from '../../options/numbers.js';
import type { Output } from '../../output.js';
import { createProgress } from '../../progress/progress.js';
import { listingNotes } from '../../progress/listing-notes.js';
import { listenForStop } from '../../stopping/stop-signal.js';

const declareFlags = (command: Command) =>
  command
    .requiredOption(
      '--data <paths...>',
      'folders of shards, searched recursively, or shards: positions with values',
    )
    .requiredOption('--out <folder>', 'folder of the pattern network; must not contain one yet')
    .option('--from <name>', 'pattern network to start from: a folder, or gess, that of the package')
    .option('--rules <text>', 'rules of those games', 'eureka')
    .option(
      '--result-share <share>',
      "weight of the game's result in the value to learn, 0 to 1",
      shareOfOne,
      0,
    )
    .option('--passes <n>', 'times that each position is learnt', wholeNumberFrom(1, 1000), 4)
    .option('--batch-size <n>', 'positions of a step', wholeNumberFrom(1, 65_536), 256)
    .option(
      '--learning-rate <rate>',
      'learning rate of the first step, up to 1; it falls to 0',
      shareOfOne,
      0.002,
    )
    .option('--seed <n>', 'seed of the weights and of the order of the positions', seedNumber, 1)
    .option(
      '--max-rows <n>',
      'stop reading after this many positions: 156 bytes of memory each',
      positiveNumber,
      1_000_000,
    )
    .option('--json', 'print one JSON object');

type DistillOptions = OptionsOf<typeof declareFlags>;

function describe(out: string, { positions, heldBack, steps }: Distillation): string {
  return [
    `${positions} positions learnt in ${steps} steps; wrote ${out}`,
    `mean squared error of the value on ${heldBack.positions} held-back positions: ${heldBack.error.toFixed(4)}`,
  ].join('\n');
}

/** Learns and writes the pattern network; null if the user stopped it. */
async function distill(output: Output, options: DistillOptions): Promise<Distillation | null> {
  const { out, rules, from } = options;
  const game = createGame('gess', rules);
  const start = from === undefined ? undefined : await readPatternNetwork(patternsFolder(from), game);
  const stop = listenForStop(output, {
    hint: 'Nothing is written; run the same command to begin again.',
    action: 'ending the step in progress',
  });
  const reading = createProgress(output, 'shards');
  const learning = createProgress(output, 'steps');
  try {
    reading.start('gess distill: reading positions');
    const result = await distillFromShards({
      ...options,
      rules: game.rules,
      start,
      signal: stop.signal,
      ...listingNotes(output),
      onShard: reading.update.bind(reading),
      onProgress: (done, all) => {
        if (done === 0) {
          reading.stop();
          learning.start('gess distill: learning');
        }
        learning.update(done, all);
      },
    });
    if (result === null) return null;
    const { weights, positions, heldBack } = result;
    await writePatternNetwork(out, weights, {
      patternVersion: 1,
      game: { id: game.id, rules: game.rules, rulesVersion: game.rulesVersion },
      positions,
      startedFrom: start === undefined ? null : sha256(encodePatternWeights(start)),
      heldBack,
      softwareVersion: softwareVersion(),
    });
    stop.done();
    return result;
  } finally {
    reading.stop();
    learning.stop();
    stop.dispose();
  }
}

async function runDistill(output: Output, options: DistillOptions): Promise<void> {
  const { out, json } = options;
  const expectFree = async (): Promise<void> => {
    await expectNoPatternNetwork(out);
    await expectPlaceForOutput(out, 'pattern network');
  };
  const result = await makeOutputFolder(out, expectFree, () => distill(output, options));
  if (result === null) return;
  const { positions, steps, heldBack } = result;
  output.result(json === true ? JSON.stringify({ out, positions, steps, heldBack }) : describe(out, result));
}

/** `gess distill`: a pattern network from judged positions, for alpha-beta search. */
export function defineDistill(command: Command, output: Output): void {
  declareFlags(command).action((options) => runDistill(output, options));
}
