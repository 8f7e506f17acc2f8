import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sealJson, sha256 } from '../../../../data/files/sealed-json.js';
import { TaughtSelfPlayConfig } from '../../../../training/config/groups/taught-self-play-config.js';
import {
  OfferedFiles,
  outgoingMatch,
  outgoingShard,
} from '../../../../training/workers/pool/coordinator/outgoing-job.js';
import { createGame } from '../../../../env/games.js';
import { withAgent } from '../../../../training/export/open-agent.js';
import { digestOfAgent, withModel } from '../../../../training/workers/pool/wire/agent-models.js';
import {
  JobOutcome,
  RemoteJob,
  reportedGames,
} from '../../../../training/workers/pool/wire/pool-messages.js';
import { PoolStatus } from '../../../../training/workers/pool/wire/pool-status.js';
import { temporaryFolder } from '../../../data/temporary-folder.js';

const AGENT = 'alphabeta:network=gess,depth=1';
const QUESS = join(import.meta.dirname, '../../../../models/quess');
const MODEL = join(import.meta.dirname, '../../../../models/gess/model-legal.onnx');

test('a match with a pattern network stays on the machine that has its file', async () => {
  const files = new OfferedFiles(() => Promise.reject(new Error('nothing is offered')));
  const plans = [{ number: 0, opening: [], agentIsFirst: true }];
  const job = { game: { id: 'gess', rules: 'eureka' }, seed: 1, timeMarginMs: 500, plans };
  const words = { agent: AGENT, opponent: 'greedy' };
  expect(await outgoingMatch({ ...job, ...words } as never, files)).toBeNull();
  const plain = { agent: 'alphabeta:depth=1', opponent: 'greedy' };
  expect(await outgoingMatch({ ...job, ...plain } as never, files)).toMatchObject(plain);
});

/** A copy of an export whose specification names int8, as that of a new export names its precision. */
function exportInInt8(): string {
  const folder = temporaryFolder();
  cpSync(QUESS, folder, { recursive: true });
  const path = join(folder, 'spec.json');
  const spec = JSON.parse(readFileSync(path, 'utf8')) as { readonly play: object; sha256?: string };
  delete spec.sha256;
  writeFileSync(path, sealJson({ ...spec, play: { ...spec.play, precision: 'int8' } }, 'file'));
  return folder;
}

test.each([
  ['', 'model-legal-int8.onnx'],
  [',precision=int8', 'model-legal-int8.onnx'],
  [',precision=float32', 'model-legal.onnx'],
])('an agent of an export%s travels with the file of its precision', async (option, file) => {
  const folder = exportInInt8();
  const files = new OfferedFiles((content) =>
    Promise.resolve({ sha256: sha256(content), bytes: content.length }),
  );
  const agent = `mcts:model=${folder},simulations=1${option}`;
  const plans = [{ number: 0, opening: [], agentIsFirst: true }];
  const job = { game: { id: 'quess', rules: 'default' }, seed: 1, timeMarginMs: 500, plans };
  const sent = await outgoingMatch({ ...job, agent, opponent: 'greedy' } as never, files);
  const digest = sha256(readFileSync(join(folder, file)));
  expect(sent!.models.map(({ sha256: own }) => own)).toEqual([digest]);
  // The worker opens the file by its path, which has one precision.
  const received = withModel(sent!.agent, join(folder, file));
  expect(received).not.toContain('precision');
  const played = createGame('quess');
  await withAgent(received, played, (opened) => {
    expect(opened.name).toBe(received);
    return Promise.resolve();
  });
});

test.each([
  [1e9, true],
  [1e9 + 1, false],
])('a reported move of %d ms fits into the record of a game: %s', (ms, fits) => {
  const moves = [{ action: 0, side: 0, ms }];
  const game = { pair: 0, agentPlayer: 0, opening: [], moves, end: 'rules', points: 1 };
  expect(reportedGames(1, 9).safeParse([game]).success).toBe(fits);
});

test.each([
  ['games', Array.from({ length: 99_000 }, () => ({}))],
  ['moves', [{ moves: Array.from({ length: 99_000 }, () => ({})) }]],
  ['openings', [{ opening: Array.from({ length: 99_000 }, () => null) }]],
])('too many reported %s are one fault, not one for each of them', (_name, games) => {
  expect(reportedGames(2, 42).safeParse(games).error!.issues.length).toBeLessThan(10);
});

test('too many statistics in a result are one fault, not one for each count', () => {
  const outcome = { kind: 'shard', games: Array.from({ length: 99_000 }, () => ({})) };
  expect(JobOutcome.safeParse(outcome).error!.issues.length).toBeLessThan(10);
});

test('too many plans of a job and too many workers of a state are one fault', () => {
  const items = Array.from({ length: 99_000 }, () => ({}));
  expect(RemoteJob.safeParse({ kind: 'match', plans: items }).error!.issues.length).toBeLessThan(20);
  expect(PoolStatus.safeParse({ workers: items }).error!.issues.length).toBeLessThan(20);
});

test('a worker opens no pattern network for a coordinator', () => {
  expect(() => digestOfAgent(AGENT)).toThrow(expect.objectContaining({ code: 'pool-content' }));
  expect(() => digestOfAgent('alphabeta:network=/etc,nodes=9')).toThrow(/without a pattern network/);
});

test('games with a teacher stay on the machine of the run, and a worker refuses them', async () => {
  const digest = '0'.repeat(64);
  const files = new OfferedFiles(() => Promise.resolve({ sha256: digest, bytes: 1 }));
  const shared = {
    sourceDigest: digest,
    seed: 1,
    generation: 1,
    firstGame: 0,
    games: 1,
    softwareVersion: '',
  };
  const jobWith = (config: TaughtSelfPlayConfig): never => {
    const source = { kind: 'network', modelPath: MODEL, config };
    return { ...shared, game: { id: 'gess', rules: 'eureka' }, source } as never;
  };
  const sent = await outgoingShard(jobWith(TaughtSelfPlayConfig.parse({})), files);
  expect(RemoteJob.safeParse(sent).success).toBe(true);
  const taught = TaughtSelfPlayConfig.parse({ teacher: 'alphabeta:depth=2' });
  expect(await outgoingShard(jobWith(taught), files)).toBeNull();
  const forged = { ...sent, source: { ...sent!.source, config: taught } };
  expect(RemoteJob.safeParse(forged).success).toBe(false);
});
