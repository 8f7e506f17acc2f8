import type { Command } from '@commander-js/extra-typings';
import { addWorkers, removeWorker } from '../../training/workers/pool/setup/pool-folder.js';
import { wholeNumberFrom } from '../options/numbers.js';
import type { Output } from '../output.js';

/** How the server takes notice of a change. */
const RELOAD =
  'the server reads it after: nats-server --signal reload (or systemctl reload, docker compose restart)';

/** `gess pool add`: further workers. */
export function definePoolAdd(command: Command, output: Output): void {
  command
    .argument('<folder>', 'the folder of gess pool init')
    .option('--workers <n>', 'number of further workers', wholeNumberFrom(1, 10_000), 1)
    .action(async (folder, { workers }) => {
      const added = await addWorkers(folder, workers);
      output.result([...added.map(({ path }) => `wrote ${path}`), RELOAD].join('\n'));
    });
}

/** `gess pool remove`: the end of a worker's key. */
export function definePoolRemove(command: Command, output: Output): void {
  command
    .argument('<folder>', 'the folder of gess pool init')
    .argument('<worker>', 'its name, as worker-2')
    .action(async (folder, worker) => {
      await removeWorker(folder, worker);
      output.result(`removed ${worker}\n${RELOAD}`);
    });
}
