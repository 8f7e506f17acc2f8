import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { LAUNCHER } from './launcher.js';

const SEARCHES = 15;
/** How long a search runs before it is stopped. */
const SEARCH_MS = 200;

/** Every kind of agent, with the game where it is slowest to stop. */
const AGENTS: Readonly<Record<string, readonly [game: string, agent: string]>> = {
  random: ['gess', 'random'],
  careful: ['gess', 'careful'],
  greedy: ['gess', 'greedy'],
  policy: ['gess', 'policy:model=gess'],
  alphaBeta: ['gess', 'alphabeta:depth=64'],
  mctsUniform: ['gess', 'mcts:simulations=1000000'],
  mctsRollouts: ['gess', 'mcts:simulations=1000000,rollouts=8'],
  mctsNetwork: ['gess', 'mcts:simulations=1000000,model=gess,leaves=8'],
  mctsGumbel: ['gess', 'mcts:root=gumbel,simulations=1000000,model=gess'],
  solver: ['connect-four', 'solver'],
};

/** Milliseconds from `stop` to `bestmove`. */
export interface StopTimes {
  readonly median: number;
  readonly greatest: number;
}

/** Starts an engine and measures how fast its searches stop. */
async function measureStops([game, agent]: readonly [string, string]): Promise<StopTimes> {
  const engine = spawn(process.execPath, [LAUNCHER, 'engine', '--game', game, '--agent', agent], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: engine.stdout })[Symbol.asyncIterator]();
  const answer = async (start: string): Promise<void> => {
    for (;;) {
      const line = (await lines.next()) as IteratorResult<string, undefined>;
      if (line.done === true) throw new Error(`expected '${start}' of ${agent}, got its end`);
      if (line.value.startsWith(start)) return;
    }
  };
  const times: number[] = [];
  engine.stdin.write('isready\n');
  await answer('readyok');
  for (let i = 0; i < SEARCHES; i++) {
    engine.stdin.write('ucinewgame\ngo infinite\n');
    await delay(SEARCH_MS);
    const startMs = performance.now();
    engine.stdin.write('stop\n');
    await answer('bestmove');
    times.push(Math.round(10 * (performance.now() - startMs)) / 10);
  }
  engine.stdin.end('quit\n');
  await once(engine, 'exit');
  times.sort((one, other) => one - other);
  return { median: times[SEARCHES >> 1]!, greatest: times.at(-1)! };
}

/** Results of the stop section of `gess bench`: milliseconds from `stop` to `bestmove` of 15 searches, by agent. */
export async function benchStop(): Promise<Readonly<Record<string, number>>> {
  const results: Record<string, number> = {};
  for (const [name, agent] of Object.entries(AGENTS)) {
    const { median, greatest } = await measureStops(agent);
    results[`${name}Median`] = median;
    results[`${name}Greatest`] = greatest;
  }
  return results;
}
