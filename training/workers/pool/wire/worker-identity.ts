import { cpus } from 'node:os';
import { softwareVersion, versionOf } from '../../../software-version.js';
import { gameVersions } from './game-versions.js';
import type { WorkerIdentity } from './pool-messages.js';

/** The identity of this machine as a worker. */
export function ownIdentity(processes: number): WorkerIdentity {
  return {
    version: softwareVersion(),
    node: process.versions.node,
    onnxRuntime: versionOf('onnxruntime-node'),
    games: gameVersions(),
    processor: (cpus()[0]?.model ?? 'unknown').slice(0, 100),
    processes,
  };
}
