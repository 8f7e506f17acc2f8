import { type Command, InvalidArgumentError } from '@commander-js/extra-typings';
import { formatPercent } from '../../../env/text/percent.js';
import {
  type SimulationFigures,
  simulatePool,
} from '../../../training/workers/pool/simulation/pool-simulation.js';
import type { OptionsOf } from '../../usage/lazy-commands.js';
import { positiveNumber, wholeNumberFrom } from '../../options/numbers.js';
import type { Output } from '../../output.js';

/** Most simulated workers: the coordinator remembers ten thousand. */
const parseWorkers = wholeNumberFrom(1, 5000);

function workerCounts(text: string): readonly number[] {
  return text.split(',').map((each) => parseWorkers(each));
}

function serverUrl(text: string): string {
  if (text.includes('://')) return text;
  throw new InvalidArgumentError('Expected nats://HOST:PORT: simulated workers have no keys.');
}

const declareFlags = (command: Command) =>
  command
    .requiredOption(
      '--pool <server>',
      'nats://HOST:PORT of a server without keys that no run uses',
      serverUrl,
    )
    .option('--workers <list>', 'numbers of simulated workers', workerCounts, [2, 16, 64])
    .option('--recordings <n>', 'number of jobs that are played and recorded first', positiveNumber, 4)
    .option('--games <n>', 'games of a job', positiveNumber, 8)
    .option('--rounds <n>', 'number of jobs for each worker', positiveNumber, 3)
    .option('--job-seconds <n>', 'mean seconds of a job (default: as recorded)', positiveNumber)
    .option('--server-pid <id>', "also measure the processor time of the server's process", positiveNumber)
    .option('--json', 'print one JSON object for each number of workers');

function describe(figures: SimulationFigures): string {
  const { workers, jobs, seconds, jobsPerSecond, playingShare } = figures;
  const { coordinatorCores, serverCores, simulationCores } = figures;
  const cores = (value: number): string => `${value.toFixed(3)} cores`;
  return [
    `${workers} workers: ${jobs} jobs in ${seconds.toFixed(1)} s, ${jobsPerSecond.toFixed(2)} jobs/s`,
    `they play ${formatPercent(playingShare, 2)} of their time`,
    `coordinator ${cores(coordinatorCores)}`,
    ...(serverCores === null ? [] : [`server ${cores(serverCores)}`]),
    `simulation ${cores(simulationCores)}`,
  ].join('; ');
}

async function runSimulation(output: Output, options: OptionsOf<typeof declareFlags>): Promise<void> {
  const { pool, workers, recordings, games, rounds, jobSeconds = null, serverPid = null } = options;
  const plan = { url: pool, workers, recordings, games, rounds, jobSeconds, serverPid };
  output.message(`gess: playing ${recordings} jobs of ${games} games, to record them`);
  const recorded = await simulatePool(plan, (figures) => {
    output.result(options.json === true ? JSON.stringify(figures) : describe(figures));
  });
  output.message(
    `gess: a job took ${recorded.jobSeconds.toFixed(2)} s of processor time and made ${Math.round(recorded.jobBytes)} bytes; ` +
      `judging one takes ${recorded.judgingMs.toFixed(1)} ms of another process`,
  );
}

/** `gess pool simulate`: how many workers a server and a coordinator on this machine can serve. */
export function definePoolSimulate(command: Command, output: Output): void {
  declareFlags(command).action((options) => runSimulation(output, options));
}
