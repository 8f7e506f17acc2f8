import type { Kernels } from '../../../self-play/model-kernels.js';
import type { ProcessPool } from '../../process-pool.js';
import type { WorkerMethods } from '../../worker-jobs.js';
import type { RemoteJob } from '../wire/pool-messages.js';
import { type JobBatch, type JobKind, type RemoteMethod } from './job-batch.js';
import { fingerprintKey } from '../wire/pool-messages.js';
import { JobLedger } from './job-ledger.js';
import { modelsOf, type OfferedFiles } from './outgoing-job.js';
import type { RateMeter } from './rate-meter.js';
import type { WorkerRegister } from './worker-register.js';

/** The parts that a batch needs. */
export interface PreparationServices {
  readonly files: OfferedFiles;
  readonly local: ProcessPool;
  readonly register: WorkerRegister;
  readonly meter: RateMeter;
  /** Whether workers with other kernel fingerprints play. */
  readonly anyProcessor: boolean;
  /** Called with the number of finished games of a worker's job. */
  readonly onRemoteGames: ((index: number, games: number) => void) | undefined;
}

/** Kernel fingerprints of this machine with the models of the jobs. */
async function ownFingerprints(
  { files, local }: PreparationServices,
  { models, game }: Pick<JobBatch, 'models' | 'game'>,
  kernels: Kernels,
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for (const ref of models) {
    const modelPath = ref === null ? null : files.pathOf(ref);
    found.set(fingerprintKey(ref), await local.run('fingerprint', { game, modelPath, kernels }));
  }
  return found;
}

/**
 * Prepares jobs for workers: offers their files, and takes this machine's fingerprints.
 *
 * @param jobs at least one, all of one game.
 * @throws DataError, AgentError for a file; TrainingError `worker-died`; errors of the server.
 */
export async function prepareBatch<M extends RemoteMethod, Result>(
  kind: JobKind<M, Result>,
  jobs: readonly WorkerMethods[M]['job'][],
  services: PreparationServices,
): Promise<JobBatch> {
  const remote: (RemoteJob | null)[] = [];
  for (const job of jobs) remote.push(await kind.outgoing(job));
  const ids = jobs.map((job) => kind.idOf(job));
  const indexOf = new Map(ids.map((id, index) => [id, index]));
  const { id, rules } = jobs[0]!.game;
  const common = { game: { id, rules }, models: modelsOf(remote) };
  // Games from outside the package are played on this machine only.
  const isRemote = remote.some((job) => job !== null);
  return {
    ...common,
    ids,
    indexOf,
    remote,
    ledger: new JobLedger(jobs.length),
    fingerprints: isRemote ? await ownFingerprints(services, common, 'native') : new Map(),
    portableFingerprints:
      isRemote && services.anyProcessor ? await ownFingerprints(services, common, 'portable') : new Map(),
    makers: new Map(),
    onWork: (work) => {
      services.meter.add(work);
    },
    onProgress: () => {
      for (const { running } of services.register.present()) {
        for (const [job, games] of running) {
          const index = indexOf.get(job);
          if (index !== undefined) services.onRemoteGames?.(index, games);
        }
      }
    },
  };
}
