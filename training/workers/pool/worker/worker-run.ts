import type { PoolTicket } from '../wire/pool-ticket.js';
import type { WorkerIdentity } from '../wire/pool-messages.js';
import { connectToPool } from '../wire/server-connection.js';
import { ownIdentity } from '../wire/worker-identity.js';
import { type JobPlayer, ProcessPlayer } from './job-player.js';
import { PoolWorker, type PoolWorkerOptions, type WorkerSummary } from './pool-worker.js';

/** Settings of a worker on this machine. */
export interface WorkerRunOptions extends Pick<PoolWorkerOptions, 'onMessage' | 'signal' | 'beatMs'> {
  readonly processes: number;
  /**
   * Folder for networks and games in progress; or a player that replaces this machine's processes, as in simulations.
   */
  readonly player: string | JobPlayer;
  /** Identity to claim, for tests. */
  readonly identity?: WorkerIdentity;
}

/**
 * Plays jobs on this machine until the signal is aborted.
 *
 * @throws TrainingError `pool-unreachable`, `pool-refused`; errors of `PoolWorker.run`; DataError for the folder.
 */
export async function runPoolWorker(ticket: PoolTicket, options: WorkerRunOptions): Promise<WorkerSummary> {
  const { processes, player: given, identity = ownIdentity(processes), ...others } = options;
  const connection = await connectToPool(ticket, options.onMessage);
  let player: JobPlayer | undefined;
  try {
    player = typeof given === 'string' ? await ProcessPlayer.open(connection, given, options) : given;
    return await PoolWorker.run(connection, { ...others, player, identity });
  } finally {
    await player?.dispose();
    await connection.nc.close();
  }
}
