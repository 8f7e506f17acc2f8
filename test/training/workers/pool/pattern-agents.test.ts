import { expect, test } from 'vitest';
import { OfferedFiles, outgoingMatch } from '../../../../training/workers/pool/coordinator/outgoing-job.js';
import { digestOfAgent } from '../../../../training/workers/pool/wire/agent-models.js';

const AGENT = 'alphabeta:network=gess,depth=1';

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
