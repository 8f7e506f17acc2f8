import type { Command } from '@commander-js/extra-typings';
import { countOf } from '../../../env/text/count-of.js';
import { makePool } from '../../../training/workers/pool/setup/pool-folder.js';
import { MOST_WORKERS } from '../../../training/workers/pool/setup/pool-members.js';
import type { OptionsOf } from '../../usage/lazy-commands.js';
import { positiveNumber, wholeNumberFrom } from '../../options/numbers.js';
import { collect } from '../../options/repeated-option.js';
import type { Output } from '../../output.js';

const declareFlags = (command: Command) =>
  command
    .requiredOption('--out <folder>', 'a new folder; it holds secret keys, and only you can read it')
    .requiredOption(
      '--host <name>',
      "the server's name or IP address for the workers; may be repeated",
      collect,
      [] as readonly string[],
    )
    .option('--port <n>', "the server's port", wholeNumberFrom(1, 65_535), 4222)
    .option(
      '--web-port <n>',
      'a second port, for workers in browsers (WebSocket)',
      wholeNumberFrom(1, 65_535),
    )
    .option('--workers <n>', 'number of workers with keys of their own', wholeNumberFrom(1, MOST_WORKERS), 2)
    .option('--store <gib>', "greatest size of the server's files in GiB", positiveNumber, 40)
    .option('--no-tls', 'no encryption: only for a network in which you trust everyone')
    .option('--json', 'print one JSON object');

async function runInit(output: Output, options: OptionsOf<typeof declareFlags>): Promise<void> {
  const { out, host, port, webPort, workers, store, tls, json } = options;
  const plan = { hosts: host, port, webPort, workers, storeGib: store, hasTls: tls };
  const tickets = await makePool(out, plan);
  if (json === true) {
    output.result(JSON.stringify({ folder: out, tickets }));
    return;
  }
  output.result(
    [
      `wrote ${out}: keys of a coordinator, an observer and ${countOf(workers, 'worker')}`,
      `start the server:  cd ${out}/server && nats-server -c nats.conf`,
      `start the run:     gess train --pool ${out}/coordinator.json …`,
      `copy to machines:  ${out}/worker-1.json, …; there: gess worker --pool worker-1.json`,
      `show its state:    gess pool status --pool ${out}/observer.json`,
    ].join('\n'),
  );
}

/** `gess pool init`: writes everything that a pool's server needs. */
export function definePoolInit(command: Command, output: Output): void {
  declareFlags(command).action((options) => runInit(output, options));
}
