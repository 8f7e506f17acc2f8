import type { Command } from '@commander-js/extra-typings';
import { addLazyCommands, type LazyCommand } from '../../usage/lazy-commands.js';
import type { Output } from '../../output.js';

const POOL_COMMANDS: Readonly<Record<string, LazyCommand>> = {
  init: {
    summary:
      'write the configuration of a server, keys for a coordinator and workers, a systemd unit, a compose file',
    load: async () => (await import('./pool-init-command.js')).definePoolInit,
  },
  add: {
    summary: 'add workers to a pool made by gess pool init',
    load: async () => (await import('./pool-members-command.js')).definePoolAdd,
  },
  remove: {
    summary: 'remove a worker from a pool made by gess pool init',
    load: async () => (await import('./pool-members-command.js')).definePoolRemove,
  },
  simulate: {
    summary: 'measure how many workers a server and this machine can serve, with simulated ones',
    load: async () => (await import('./pool-simulate-command.js')).definePoolSimulate,
  },
  status: {
    summary: 'show workers, games a second, jobs and failures of the run that uses a pool',
    load: async () => (await import('./pool-status-command.js')).definePoolStatus,
  },
};

/** `gess pool`: the server of many machines. */
export function definePool(command: Command, output: Output): void {
  addLazyCommands(command, output, POOL_COMMANDS);
}
