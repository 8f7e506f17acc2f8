import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createGame } from '../../../env/games.js';
import { createRng } from '../../../env/random.js';
import { SelfPlayConfig } from '../../../training/config/groups/self-play-config.js';
import { createNetwork } from '../../../training/network/network.js';
import { NetworkConfig } from '../../../training/network/network-config.js';
import { networkShape } from '../../../training/network/network-shape.js';
import { encodeOnnxModel } from '../../../training/network/onnx/onnx-model.js';
import type { ShardJob } from '../../../training/self-play/shard-job.js';
import { playShard } from '../../../training/self-play/shard-play.js';
import type { PlayerMemory } from './player-memory.js';

// A process of player-memory.ts: plays jobs of self-play for so many milliseconds, as a player of a run does, and sends
// its memory.

const GAMES_PER_JOB = 16;
/** Jobs after which memory counts as that of the beginning: code is compiled, and buffers have their usual sizes. */
const WARM_UP_JOBS = 2;
const MEBIBYTE = 1 << 20;

/** A small network, so that as many positions as possible pass through it. */
function smallModel(): Uint8Array {
  const game = createGame('gess');
  const config = NetworkConfig.parse({ channels: 8, blocks: 1 });
  return encodeOnnxModel(createNetwork(networkShape(game, config), createRng(1, 'bench')), 'legal');
}

/** Job `number` of the games of the network in `folder`. */
function jobOf(folder: string, number: number): ShardJob {
  return {
    path: join(folder, `shard-${number}.arrow`),
    game: { id: 'gess', rules: 'default' },
    source: {
      kind: 'network',
      modelPath: join(folder, 'model.onnx'),
      config: SelfPlayConfig.parse({ search: { simulations: 16 } }),
    },
    sourceDigest: '0'.repeat(64),
    seed: 1,
    generation: 1,
    firstGame: number * GAMES_PER_JOB,
    games: GAMES_PER_JOB,
    softwareVersion: 'bench',
  };
}

async function play(folder: string, limitMs: number): Promise<PlayerMemory> {
  await writeFile(join(folder, 'model.onnx'), smallModel());
  const startMs = performance.now();
  let evaluations = 0;
  let firstMib = 0;
  let jobs = 0;
  for (; jobs <= WARM_UP_JOBS || performance.now() - startMs < limitMs; jobs++) {
    const { effort } = await playShard(jobOf(folder, jobs));
    evaluations += effort!.networkEvaluations;
    if (jobs + 1 === WARM_UP_JOBS) firstMib = process.memoryUsage.rss() / MEBIBYTE;
  }
  const { rss, heapUsed, arrayBuffers } = process.memoryUsage();
  return {
    jobs,
    evaluations,
    firstMib: Math.round(firstMib),
    lastMib: Math.round(rss / MEBIBYTE),
    heapUsedMib: Math.round(heapUsed / MEBIBYTE),
    arrayBuffersMib: Math.round(arrayBuffers / MEBIBYTE),
  };
}

const folder = await mkdtemp(join(tmpdir(), 'gess-memory-'));
try {
  process.send!(await play(folder, Number(process.argv[2])));
} finally {
  await rm(folder, { recursive: true });
}
