import { Argument, type Command } from '@commander-js/extra-typings';
import { benchEnv } from '../../benchmarks/environment-benchmark.js';
import { benchTrain } from '../../benchmarks/learning-benchmark.js';
import { benchNetwork } from '../../benchmarks/network-benchmark.js';
import { benchMatches } from '../../benchmarks/matches/match-benchmark.js';
import { benchPerft } from '../../benchmarks/perft-benchmark.js';
import { benchSearch, signature } from '../../benchmarks/search-benchmark.js';
import { benchSelfPlay } from '../../benchmarks/self-play/self-play-benchmark.js';
import { benchStart } from '../../benchmarks/start-benchmark.js';
import { benchStop } from '../../benchmarks/stop-benchmark.js';
import type { Output } from '../../output.js';
import { createProgress } from '../../progress/progress.js';

type Rates = Readonly<Record<string, number>>;

/** The benchmarks by name. */
const SECTIONS = {
  start: benchStart,
  perft: benchPerft,
  env: benchEnv,
  search: benchSearch,
  network: benchNetwork,
  selfplay: benchSelfPlay,
  train: benchTrain,
  matches: benchMatches,
  stop: benchStop,
} as const;

type Section = keyof typeof SECTIONS;

const SECTION_NAMES = Object.keys(SECTIONS) as readonly Section[];

/** Measures one section; its progress shows that it goes on, because some take a minute. */
async function measureSection(output: Output, name: Section): Promise<Rates> {
  const progress = createProgress(output, '');
  progress.start(`gess: measuring ${name}`);
  try {
    return (await SECTIONS[name]()) as Rates;
  } finally {
    progress.stop();
  }
}

async function runBench(output: Output, names: readonly Section[], isJson: boolean): Promise<void> {
  const digest = await signature();
  const results: Record<string, Rates | number> = { signature: digest };
  if (!isJson) output.result(`signature: ${digest}`);
  for (const name of names.length === 0 ? SECTION_NAMES : names) {
    const rates = await measureSection(output, name);
    results[name] = rates;
    if (isJson) continue;
    for (const [key, rate] of Object.entries(rates))
      output.result(`${name}.${key}: ${rate.toLocaleString('en')}`);
  }
  if (isJson) output.result(JSON.stringify(results));
}

/** `gess bench`: speed on this machine. */
export function defineBench(command: Command, output: Output): void {
  command
    .addArgument(new Argument('[sections...]', 'sections to measure (default: all)').choices(SECTION_NAMES))
    .option('--json', 'print one JSON object')
    .action((names, { json }) => runBench(output, names, json === true));
}
