import { encodeShard } from '../../data/shards/shard-encoding.js';
import { createGame } from '../../env/games.js';
import { kernelFingerprint } from '../../training/self-play/kernel-fingerprint.js';
import { playNetworkGames } from '../../training/self-play/network-games.js';
import { usePortableMath } from '../../training/self-play/portable-math.js';
import { shardOf } from '../../training/self-play/shard-content.js';
import { openWebModel, runtimeVersion } from '../engine/web-session.js';
import type { LaneAnswer, LaneRequest, LaneResult } from './lane-messages.js';
import { errorText } from '../../env/text/error-text.js';

/** The part of the worker's global object that is used; its types and those of pages exclude each other. */
interface WorkerScope {
  onmessage: ((event: MessageEvent<LaneRequest>) => void) | null;
  postMessage(answer: LaneAnswer): void;
}
const scope = globalThis as unknown as WorkerScope;

const SOURCE = "the run's network";

async function play({ job, model }: Extract<LaneRequest, { kind: 'play' }>): Promise<LaneResult> {
  const { source, seed, firstGame, games: count } = job;
  if (source.kind !== 'network')
    throw new Error(`expected games of a network, got those of an ${source.kind}`);
  const game = createGame(job.game.id, job.game.rules);
  const session = await openWebModel(model, SOURCE);
  const range = { config: source.config, seed, firstGame, games: count };
  const { games, effort } = await playNetworkGames(game, session, range, () => {
    scope.postMessage({ kind: 'note' });
  });
  const { columns, metadata } = shardOf(game, job, games);
  return {
    kind: 'play',
    content: encodeShard(columns, metadata),
    games: games.map(({ statistics }) => statistics),
    effort,
  };
}

async function answer(request: LaneRequest): Promise<LaneResult> {
  if (request.kind === 'play') return play(request);
  const { game, model } = request;
  const session = model === null ? null : await openWebModel(model, SOURCE);
  return {
    kind: 'fingerprint',
    fingerprint: await kernelFingerprint(createGame(game.id, game.rules), session),
  };
}

// The coordinator plays its games again, in another engine.
usePortableMath();
scope.onmessage = ({ data }) => {
  answer(data).then(
    (result) => {
      scope.postMessage({ kind: 'result', result });
    },
    (error: unknown) => {
      scope.postMessage({ kind: 'failed', message: errorText(error) });
    },
  );
};
scope.postMessage({ kind: 'ready', onnxRuntime: runtimeVersion() });
