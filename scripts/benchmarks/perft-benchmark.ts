import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withTemporaryFolder } from '../../data/files/unfinished-paths.js';
import { createGess } from '../../env/gess/gess.js';
import { countPositions, type LastPly } from '../../env/perft.js';
import { runCommand } from '../../training/tensorflow/native/toolchain.js';

/** Perft(2) and perft(3) of Gess from the start. */
const NODES = { 2: 172_080, 3: 60_574_502 } as const;
const NAIVE_SOURCE = fileURLToPath(
  new URL('../../../scripts/benchmarks/peers/naive-perft.cpp', import.meta.url),
);
const ROUNDS = 3;

/** Results of the perft section of `gess bench`: positions per second and ratios. */
export interface PerftRates {
  /** Depth 3, the last ply counted without listing its moves. */
  readonly nodesPerSecond: number;
  /** Depth 3, the last ply's moves listed. */
  readonly listedNodesPerSecond: number;
  /** Depth 2, every move of the last ply applied and undone. */
  readonly playedNodesPerSecond: number;
  /** Depth 3 by naive-perft.cpp, which lists the last ply's moves; 0 without a compiler. */
  readonly naiveNodesPerSecond: number;
  /** The first two relative to naive-perft.cpp; 0 without it. */
  readonly countedToNaive: number;
  readonly listedToNaive: number;
}

function checkCount(nodes: number, depth: 2 | 3): void {
  if (nodes !== NODES[depth]) throw new Error(`perft(${depth}) is ${nodes}, expected ${NODES[depth]}`);
}

function measureOurs(depth: 2 | 3, lastPly: LastPly): number {
  const game = createGess();
  const start = performance.now();
  checkCount(countPositions(game, game.initialState(), depth, lastPly), depth);
  return (NODES[depth] * 1000) / (performance.now() - start);
}

async function measureNaive(program: string): Promise<number> {
  const result = await runCommand([program], ['3'], process.env);
  const [nodes = NaN, seconds = NaN] = (result?.stdout ?? '').split(' ').map(Number);
  checkCount(nodes, 3);
  return nodes / seconds;
}

/** Compiles naive-perft.cpp. Returns the path of the program; null without a compiler. */
async function compileNaive(folder: string): Promise<string | null> {
  const program = join(folder, 'naive-perft');
  const options = ['-O3', '-march=native', '-o', program, NAIVE_SOURCE];
  const result = await runCommand(['g++'], options, process.env);
  return result?.exitCode === 0 ? program : null;
}

/**
 * Measures positions per second from the start, alternating with the plain C++ program; the best of three rounds each.
 */
export async function benchPerft(): Promise<PerftRates> {
  return withTemporaryFolder('gess-perft-', async (folder) => {
    const naive = await compileNaive(folder);
    const best = { counted: 0, listed: 0, played: 0, naive: 0 };
    for (let round = 0; round < ROUNDS; round++) {
      best.counted = Math.max(best.counted, measureOurs(3, 'count'));
      if (naive !== null) best.naive = Math.max(best.naive, await measureNaive(naive));
      best.listed = Math.max(best.listed, measureOurs(3, 'list'));
      best.played = Math.max(best.played, measureOurs(2, 'play'));
    }
    const toNaive = (rate: number): number =>
      best.naive === 0 ? 0 : Math.round((rate / best.naive) * 100) / 100;
    return {
      nodesPerSecond: Math.round(best.counted),
      listedNodesPerSecond: Math.round(best.listed),
      playedNodesPerSecond: Math.round(best.played),
      naiveNodesPerSecond: Math.round(best.naive),
      countedToNaive: toNaive(best.counted),
      listedToNaive: toNaive(best.listed),
    };
  });
}
