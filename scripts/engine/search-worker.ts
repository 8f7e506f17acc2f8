// The search thread of an engine: it searches while the engine's own thread reads commands.
import { isDeepStrictEqual } from 'node:util';
import { parentPort, workerData } from 'node:worker_threads';
import type { SearchJob } from '../../agents/thinking/search-job.js';
import type { Thinker } from '../../agents/thinking/thinking.js';
import { CodedError } from '../../env/errors.js';
import { createGame } from '../../env/games.js';
import { createRng } from '../../env/random.js';
import { positionAfter } from '../../env/replay/replay.js';
import { loadGameModule } from '../../training/games/game-module.js';
import { openThinker } from '../../training/export/open-agent.js';
import { SearchFlags } from './search-flags.js';
import type { SearchPlayer, SearchReport, SearchRequest, SearchThreadData } from './search-messages.js';
import { errorText } from '../../env/text/error-text.js';

const flags = new SearchFlags((workerData as SearchThreadData).words);
let thinker: Thinker<unknown> | undefined;
/** The player that `thinker` is, without its seed. */
let opened: Omit<SearchPlayer, 'seed'> | undefined;
let seed = 0;
let games = 0;

function send(report: SearchReport): void {
  parentPort!.postMessage(report);
}

function newGame(): void {
  games += 1;
  thinker?.newGame(createRng(seed, 'engine', games));
}

async function open(player: Omit<SearchPlayer, 'seed'>): Promise<void> {
  await dispose();
  for (const path of player.gameModules) await loadGameModule(path);
  thinker = await openThinker(player.agent, createGame(player.game, player.rules));
  opened = player;
}

async function dispose(): Promise<void> {
  await thinker?.dispose();
  thinker = undefined;
  opened = undefined;
}

async function load({ seed: newSeed, ...player }: SearchPlayer): Promise<void> {
  // Another seed alone opens nothing: matches set one for each game, and code that has run is faster than new code.
  if (!isDeepStrictEqual(player, opened)) await open(player);
  seed = newSeed;
  games = 0;
  newGame();
  send({ kind: 'loaded', name: thinker!.name });
}

async function search(job: SearchJob): Promise<void> {
  const { position, moves, seconds, limits, lines, treePlies, withPolicy, freshSeed } = job;
  const { game } = thinker!;
  if (freshSeed !== undefined) thinker!.newGame(createRng(freshSeed, 'analysis'));
  const start = performance.now();
  const milliseconds = (): number => performance.now() - start;
  const thought = await thinker!.think(positionAfter(game, { position, moves, seconds }), {
    limits: limits ?? thinker!.limits,
    lines,
    treePlies,
    withPolicy,
    shouldStop: () => flags.isStopped,
    onThought: (thought) => {
      send({ kind: 'thought', thought, milliseconds: milliseconds() });
    },
  });
  send({ kind: 'done', thought, milliseconds: milliseconds() });
}

/** Frees the player; a thread without work ends. */
async function close(): Promise<void> {
  await dispose();
  parentPort!.close();
}

async function answer(request: SearchRequest): Promise<void> {
  if (!flags.begin()) return;
  try {
    if (request.kind === 'load') await load(request.player);
    else if (request.kind === 'search') await search(request.job);
    else if (request.kind === 'new-game') newGame();
    else await close();
  } catch (error) {
    const isCoded = error instanceof CodedError;
    const code = isCoded ? String(error.code) : 'internal';
    send({ kind: 'failed', code, message: errorText(error), exitCode: isCoded ? error.exitCode : 1 });
  } finally {
    flags.end();
  }
}

// Requests run one after another.
let last = Promise.resolve();
parentPort!.on('message', (request: SearchRequest) => {
  last = last.then(() => answer(request));
});
flags.end();
