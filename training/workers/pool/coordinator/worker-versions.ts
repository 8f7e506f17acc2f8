import type { RemoteJob, WorkerIdentity } from '../wire/pool-messages.js';

/** The remedy in a browser, which runs the page that the server offers. */
const RELOAD = "reload the page from the coordinator's version of gess-zero";

function major(version: string): string {
  return version.split('.')[0]!;
}

/**
 * Describes the version that a worker must install to play for this coordinator; null if it has it.
 *
 * @param own identity of the coordinator.
 */
export function versionProblem(own: WorkerIdentity, other: WorkerIdentity): string | null {
  const inBrowser = other.node === null;
  if (own.version !== other.version) {
    const install = inBrowser ? RELOAD : `npm install gess-zero@${own.version}`;
    return `expected gess-zero ${own.version}, found ${other.version}: ${install}`;
  }
  if (own.onnxRuntime !== other.onnxRuntime) {
    const install = inBrowser ? RELOAD : `npm install --ignore-scripts onnxruntime-node@${own.onnxRuntime}`;
    const name = inBrowser ? 'onnxruntime-web' : 'onnxruntime-node';
    return `expected ${name} ${own.onnxRuntime}, found ${other.onnxRuntime}: ${install}`;
  }
  if (own.node !== null && other.node !== null && major(own.node) !== major(other.node)) {
    return `expected Node ${major(own.node)}, found ${other.node}: install Node ${own.node}`;
  }
  for (const { id, rulesVersion, encodingVersion } of own.games) {
    const found = other.games.find((game) => game.id === id);
    if (found?.rulesVersion !== rulesVersion || found.encodingVersion !== encodingVersion) {
      const expected = `expected ${id} with rules ${rulesVersion} and encoding ${encodingVersion}`;
      const other =
        found === undefined ? 'none' : `rules ${found.rulesVersion} and encoding ${found.encodingVersion}`;
      return `${expected}, found ${other}: install the coordinator's copy of gess-zero ${own.version}`;
    }
  }
  return null;
}

/** The processor and the runtime of a worker. */
export function processorOf({ processor, node }: WorkerIdentity): string {
  return node === null ? `${processor}, a browser` : `${processor}, Node ${node}`;
}

/** Whether a worker can play a job; null stands for a job that only the coordinator can play. */
export function canPlay({ node }: WorkerIdentity, job: RemoteJob | null): boolean {
  if (job === null) return false;
  // Browsers play with networks, but not with other agents.
  return node !== null || (job.kind === 'shard' && job.source.kind === 'network');
}
