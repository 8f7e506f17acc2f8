import { Argument, Command } from 'commander';
import { benchEnv } from '../benchmarks/environment-benchmark.js';
import { benchTrain } from '../benchmarks/learning-benchmark.js';
import { benchNetwork } from '../benchmarks/network-benchmark.js';
import { benchPerft } from '../benchmarks/perft-benchmark.js';
import { benchSearch, signature } from '../benchmarks/search-benchmark.js';
import { benchSelfPlay } from '../benchmarks/self-play-benchmark.js';
import type { Output } from '../output.js';

type Rates = Readonly<Record<string, number>>;

/** What can be measured, by name. */
const SECTIONS: Readonly<Record<string, () => object | Promise<object>>> = {
  perft: benchPerft,
  env: benchEnv,
  search: benchSearch,
  network: benchNetwork,
  selfplay: benchSelfPlay,
  train: benchTrain,
};

async function runBench(output: Output, names: readonly string[], isJson: boolean): Promise<void> {
  const digest = await signature();
  const results: Record<string, Rates | number> = { signature: digest };
  if (!isJson) output.result(`signature: ${digest}`);
  for (const name of names.length === 0 ? Object.keys(SECTIONS) : names) {
    output.message(`gess: measuring ${name}`);
    const rates = (await SECTIONS[name]!()) as Rates;
    results[name] = rates;
    if (isJson) continue;
    for (const [key, rate] of Object.entries(rates))
      output.result(`${name}.${key}: ${rate.toLocaleString('en')}`);
  }
  if (isJson) output.result(JSON.stringify(results));
}

/** `gess bench`: how fast this machine does what takes time. */
export function benchCommand(output: Output): Command {
  return new Command('bench')
    .description('measure speed: rules, environment, search, self-play, training')
    .addArgument(new Argument('[sections...]', 'all, if left out').choices(Object.keys(SECTIONS)))
    .option('--json', 'print one JSON object')
    .action((names: readonly string[], options: { json?: true }) =>
      runBench(output, names, options.json === true),
    );
}
