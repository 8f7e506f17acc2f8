import { cpus } from 'node:os';
import { createGame, GAME_IDS } from '../../../../env/games.js';
import { softwareVersion, versionOf } from '../../../software-version.js';
import type { WorkerIdentity } from './pool-messages.js';

/** The identity of this machine as a worker. */
export function ownIdentity(processes: number): WorkerIdentity {
  return {
    version: softwareVersion(),
    node: process.versions.node,
    onnxRuntime: versionOf('onnxruntime-node'),
    games: GAME_IDS.map((id) => {
      const { rulesVersion, encodingVersion } = createGame(id);
      return { id, rulesVersion, encodingVersion };
    }),
    processor: (cpus()[0]?.model ?? 'unknown').slice(0, 100),
    processes,
  };
}

function major(version: string): string {
  return version.split('.')[0]!;
}

/**
 * Describes the versions that a worker must install to play for this coordinator; null if it has them.
 *
 * @param own of the coordinator.
 */
export function versionProblem(own: WorkerIdentity, other: WorkerIdentity): string | null {
  if (own.version !== other.version) {
    return `expected gess-zero ${own.version}, found ${other.version}: npm install gess-zero@${own.version}`;
  }
  if (own.onnxRuntime !== other.onnxRuntime) {
    const install = `npm install --ignore-scripts onnxruntime-node@${own.onnxRuntime}`;
    return `expected onnxruntime-node ${own.onnxRuntime}, found ${other.onnxRuntime}: ${install}`;
  }
  if (major(own.node) !== major(other.node)) {
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
