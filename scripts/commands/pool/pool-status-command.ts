import { type Command, Option } from '@commander-js/extra-typings';
import { countOf } from '../../../env/text/count-of.js';
import { askStatus, type PoolStatus } from '../../../training/workers/pool/wire/pool-status.js';
import { readTicket } from '../../../training/workers/pool/wire/pool-ticket.js';
import type { OptionsOf } from '../../usage/lazy-commands.js';
import type { Output } from '../../output.js';
import { prometheusText } from '../../report/prometheus-text.js';
import { alignTable } from '../../text/columns.js';
import { formatNumber } from '../../text/number-text.js';

const declareFlags = (command: Command) =>
  command
    .requiredOption('--pool <server>', 'nats://HOST:PORT, or a file with credentials of gess pool init')
    .addOption(new Option('--json', 'print one JSON object').conflicts('prometheus'))
    .option(
      '--prometheus',
      "print metrics in Prometheus's text format, for the textfile collector of its node exporter",
    );

/** The name of a worker in a table: the ends of its key, which are enough to tell keys apart. */
function shortKey(key: string): string {
  return `${key.slice(0, 6)}…${key.slice(-4)}`;
}

function stateOf({ suspension, isPresent, running }: PoolStatus['workers'][number]): string {
  if (suspension !== null) return `suspended: ${suspension}`;
  if (!isPresent) return 'lost';
  return running === 0 ? 'idle' : `plays ${running}`;
}

function statusText(status: PoolStatus): string {
  const { jobs, results, gamesPerSecond, evaluationsPerSecond, seconds, failures, workers, moreWorkers } =
    status;
  const rates = `${formatNumber(gamesPerSecond)} games/s, ${formatNumber(evaluationsPerSecond)} evaluations/s`;
  const lines = [
    `${countOf(workers.length + moreWorkers, 'worker')}, ${countOf(status.processes, 'process')} of the run's machine`,
    `${rates} over the last ${formatNumber(seconds)} s`,
    jobs === null
      ? 'no jobs now: the run is learning or evaluating'
      : `jobs: ${jobs.done} of ${jobs.all} done, ${jobs.played} being played, ${jobs.waiting} waiting`,
    `${countOf(results, 'result')} waiting to be judged, ${countOf(failures, 'failure')}`,
  ];
  if (workers.length === 0) return lines.join('\n');
  const header = ['worker', 'processes', 'jobs', 'games', 'evaluations', 'failures', 'state'];
  const rows = workers.map((worker) => [
    shortKey(worker.key),
    String(worker.processes),
    String(worker.jobs),
    String(worker.games),
    String(worker.evaluations),
    String(worker.failures),
    stateOf(worker),
  ]);
  const more = moreWorkers === 0 ? [] : [`and ${moreWorkers} more`];
  return [...lines, '', alignTable([header, ...rows]), ...more].join('\n');
}

async function runStatus(output: Output, options: OptionsOf<typeof declareFlags>): Promise<void> {
  const status = await askStatus(await readTicket(options.pool));
  if (options.json === true) output.result(JSON.stringify(status));
  else if (options.prometheus === true) output.result(prometheusText(status));
  else output.result(statusText(status));
}

/** `gess pool status`: the current state of the run that uses a pool. */
export function definePoolStatus(command: Command, output: Output): void {
  declareFlags(command).action((options) => runStatus(output, options));
}
