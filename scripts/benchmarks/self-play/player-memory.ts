import { ALLOCATOR_VARIABLES } from '../../../env/processes/process-client.js';
import { PLAYER_NODE_OPTIONS } from '../../../training/workers/player-options.js';
import { resultOfChild } from '../child-result.js';

// Measures by how much a process that plays for a run grows, with Node's options of a player, with the system's
// allocator as it is and with the variables that a run sets:
// `node dist/scripts/benchmarks/self-play/player-memory.js [SECONDS]`, 120 by default.

/** The memory of a process that played jobs of self-play one after the other. */
export interface PlayerMemory {
  readonly jobs: number;
  /** Positions that went through the network. */
  readonly evaluations: number;
  /** Resident memory in MiB after two jobs, and after the last. */
  readonly firstMib: number;
  readonly lastMib: number;
  /** Memory of JavaScript after the last job, in MiB: objects, and arrays outside V8's heap. */
  readonly heapUsedMib: number;
  readonly arrayBuffersMib: number;
}

const limitMs = 1000 * Number(process.argv[2] ?? 120);

const measured = await Promise.all(
  [{}, ALLOCATOR_VARIABLES].map(async (variables) => ({
    variables,
    ...(await resultOfChild<PlayerMemory>('./self-play/player-memory-process.js', {
      words: [String(limitMs)],
      variables,
      nodeOptions: PLAYER_NODE_OPTIONS,
    })),
  })),
);
for (const memory of measured) process.stdout.write(`${JSON.stringify(memory)}\n`);
