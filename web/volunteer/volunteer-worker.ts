import { CodedError } from '../../env/errors.js';
import { TrainingError } from '../../training/training-error.js';
import { gameVersions } from '../../training/workers/pool/wire/game-versions.js';
import { wsconnect } from '../../training/workers/pool/wire/nats-library.js';
import { connectWith } from '../../training/workers/pool/wire/pool-connection.js';
import type { JobPlayer } from '../../training/workers/pool/worker/job-player.js';
import { PoolWorker } from '../../training/workers/pool/worker/pool-worker.js';
import { browserMember } from './browser-member.js';
import { BrowserPlayer } from './browser-player.js';
import { PlayLane } from './play-lane.js';
import type { VolunteerAnswer, VolunteerRequest } from './volunteer-messages.js';
import { errorText } from '../../env/text/error-text.js';

/** The part of the worker's global object that is used; its types and those of pages exclude each other. */
interface WorkerScope {
  onmessage: ((event: MessageEvent<VolunteerRequest>) => void) | null;
  postMessage(answer: VolunteerAnswer): void;
}
const scope = globalThis as unknown as WorkerScope;

const end = new AbortController();

/** The browser's name and version. */
function browserName(): string {
  const [name] = /(Firefox|Edg|Chrome|Version)\/[\d.]+/.exec(navigator.userAgent) ?? ['a browser'];
  return name.slice(0, 100);
}

/** A player whose games and shards the page is told of. */
function counted(player: JobPlayer): JobPlayer {
  let games = 0;
  let shards = 0;
  const tell = (): void => {
    scope.postMessage({ kind: 'played', games, shards });
  };
  return {
    play: async (id, job, onGames) => {
      let own = 0;
      const played = await player.play(id, job, (finished) => {
        games += finished - own;
        own = finished;
        tell();
        onGames(finished);
      });
      shards += 1;
      tell();
      return played;
    },
    fingerprint: (game, model) => player.fingerprint(game, model),
    dispose: () => player.dispose(),
  };
}

/** Plays until the page stops it. Throws as `connectWith` and `PoolWorker.run` do. */
async function volunteer({
  ticket,
  url,
  lanes: count,
}: Extract<VolunteerRequest, { kind: 'start' }>): Promise<void> {
  if (!isSecureContext) {
    // Digests need it.
    throw new TrainingError('pool-setup', 'expected this page by HTTPS or from localhost');
  }
  const onMessage = (text: string): void => {
    scope.postMessage({ kind: 'said', text });
  };
  const connection = await connectWith(browserMember(ticket, url), wsconnect, onMessage);
  const lanes = await Promise.all(Array.from({ length: count }, () => PlayLane.open()));
  const player = counted(new BrowserPlayer(connection, SOFTWARE_VERSION, lanes));
  const identity = {
    version: SOFTWARE_VERSION,
    node: null,
    onnxRuntime: lanes[0]!.onnxRuntime,
    games: gameVersions(),
    processor: browserName(),
    processes: count,
  };
  try {
    await PoolWorker.run(connection, { player, identity, onMessage, signal: end.signal });
  } finally {
    await player.dispose();
    await connection.nc.close();
  }
}

scope.onmessage = ({ data }) => {
  if (data.kind === 'stop') {
    end.abort();
    return;
  }
  volunteer(data).then(
    () => {
      scope.postMessage({ kind: 'ended' });
    },
    (error: unknown) => {
      const code = error instanceof CodedError ? (error as CodedError).code : 'volunteer-failed';
      scope.postMessage({
        kind: 'failed',
        message: errorText(error),
        code,
      });
    },
  );
};
