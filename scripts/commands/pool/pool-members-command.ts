import type { Command } from '@commander-js/extra-typings';
import { addWorkers, removeWorker } from '../../../training/workers/pool/setup/pool-folder.js';
import { MOST_WORKERS } from '../../../training/workers/pool/setup/pool-members.js';
import { wholeNumberFrom } from '../../options/numbers.js';
import type { Output } from '../../output.js';

/** How to make the server read a change. */
const RELOAD =
  'to apply the change: nats-server --signal reload (or systemctl reload, docker compose restart)';

/** `gess pool add`: adds workers. */
export function definePoolAdd(command: Command, output: Output): void {
  command
    .argument('<folder>', 'the folder that gess pool init made')
    .option('--workers <n>', 'number of further workers', wholeNumberFrom(1, MOST_WORKERS), 1)
    .action(async (folder, { workers }) => {
      const added = await addWorkers(folder, workers);
      output.result([...added.map(({ path }) => `wrote ${path}`), RELOAD].join('\n'));
    });
}

/** `gess pool remove`: revokes the key of a worker. */
export function definePoolRemove(command: Command, output: Output): void {
  command
    .argument('<folder>', 'the folder that gess pool init made')
    .argument('<worker>', 'its name, such as worker-2')
    .action(async (folder, worker) => {
      await removeWorker(folder, worker);
      output.result(`removed ${worker}\n${RELOAD}`);
    });
}
