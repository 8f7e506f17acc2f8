import type { Command } from '@commander-js/extra-typings';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { countOf } from '../../../env/text/count-of.js';
import { cacheFolder } from '../../../training/tensorflow/native/cache-folder.js';
import { readTicket } from '../../../training/workers/pool/wire/pool-ticket.js';
import { runPoolWorker } from '../../../training/workers/pool/worker/worker-run.js';
import type { OptionsOf } from '../../usage/lazy-commands.js';
import { processNumber } from '../../options/numbers.js';
import type { Output } from '../../output.js';
import { listenForStop } from '../../stopping/stop-signal.js';
import { messenger } from '../../output.js';

const declareFlags = (command: Command) =>
  command
    .requiredOption('--pool <server>', 'nats://HOST:PORT, or a file with credentials of gess pool init')
    .option('--processes <n>', 'number of processes that play (default: one for each core)', processNumber)
    .option(
      '--cache <folder>',
      'folder for networks and games in progress (default: pool in the cache of gess)',
    )
    .option('--json', 'print one JSON object at the end');

async function runWorker(output: Output, options: OptionsOf<typeof declareFlags>): Promise<void> {
  const ticket = await readTicket(options.pool);
  const stop = listenForStop(output, {
    hint: 'Its games are not lost.',
    action: 'finishing the games in progress',
    isUsualEnd: true,
  });
  try {
    const summary = await runPoolWorker(ticket, {
      processes: options.processes ?? availableParallelism(),
      player: options.cache ?? join(cacheFolder(), 'pool'),
      onMessage: messenger(output),
      signal: stop.signal,
    });
    const { jobs, games } = summary;
    output.result(
      options.json === true
        ? JSON.stringify(summary)
        : `played ${countOf(games, 'game')} in ${countOf(jobs, 'job')}`,
    );
  } finally {
    stop.dispose();
  }
}

/** `gess worker`: plays games for a run on another machine. */
export function defineWorker(command: Command, output: Output): void {
  declareFlags(command).action((options) => runWorker(output, options));
}
