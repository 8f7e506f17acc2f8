import { join } from 'node:path';
import { expect, test } from 'vitest';
import { TaughtSelfPlayConfig } from '../../../../training/config/groups/taught-self-play-config.js';
import {
  OfferedFiles,
  outgoingMatch,
  outgoingShard,
} from '../../../../training/workers/pool/coordinator/outgoing-job.js';
import { digestOfAgent } from '../../../../training/workers/pool/wire/agent-models.js';
import { RemoteJob } from '../../../../training/workers/pool/wire/pool-messages.js';

const AGENT = 'alphabeta:network=gess,depth=1';
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
