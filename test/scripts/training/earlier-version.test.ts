import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sealJson } from '../../../data/files/sealed-json.js';
import { RunConfig } from '../../../training/config/run-config.js';
import { isLong } from '../../long-tests.js';
import { temporaryFolder } from '../../data/temporary-folder.js';
import { runGess, runGessJson } from '../captured-output.js';

/**
 * A run of version 1.0.0, stopped while it learnt its second generation: `gess train` of Quess. Its settings and the
 * texts of its agents have those that later versions lack, at the values without their methods.
 */
const FIXTURE = join(import.meta.dirname, '../../fixtures/run-1.0.0');
const SHARD = 'data/gen-000002/shard-000000.arrow';

/** A copy of the fixture, with the JSON of one of its sealed files changed. */
function copyOfRun(file = 'run.json', change: (content: never) => void = () => undefined): string {
  const run = join(temporaryFolder(), 'run');
  cpSync(FIXTURE, run, { recursive: true });
  const path = join(run, file);
  const content = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
  delete content['sha256'];
  change(content as never);
  writeFileSync(path, sealJson(content, 'file'));
  return run;
}

test('a run of version 1.0.0 is sound, and its report can be written', async () => {
  const run = copyOfRun();
  await runGess('data', 'verify', run);
  expect(await runGessJson('inspect', run)).toMatchObject({ generations: [{}, { generation: 1 }, {}] });
  await runGess('report', run);
  expect(readFileSync(join(run, 'report.html'), 'utf8')).toContain('quess');
});

test('it is resumed: its shards and its digest stay', async () => {
  const run = copyOfRun();
  const before = readFileSync(join(run, SHARD));
  const { configDigest } = JSON.parse(readFileSync(join(run, 'run.json'), 'utf8')) as {
    configDigest: string;
  };
  // The stopped generation and, in the long form, one that is this version's alone.
  const last = isLong ? 3 : 2;
  for (let generations = 2; generations <= last; generations++) {
    const resumed = await runGessJson(
      'train',
      '--out',
      run,
      '--resume',
      '--set',
      `generations=${generations}`,
    );
    expect(resumed).toMatchObject({ finished: true, generation: generations });
  }
  expect(readFileSync(join(run, SHARD))).toEqual(before);
  const manifest = readFileSync(join(run, `checkpoints/gen-00000${last}/manifest.json`), 'utf8');
  expect(JSON.parse(manifest)).toMatchObject({ details: { configDigest } });
  await runGess('data', 'verify', run);
});

test.each([
  ['network', { reply: false, shortTerm: false }],
  ['learner', { replyWeight: 2, shortTermWeight: 0, shortTermPlies: 3 }],
  ['replay', { surpriseShare: 0 }],
  ['selfPlay', { search: { varianceScale: 0 } }],
])('settings of %s that are gone are ignored at the values without their methods', (group, settings) => {
  expect(RunConfig.parse({ [group]: settings })).toEqual(RunConfig.parse({}));
});

test.each([
  ['network.reply', { network: { reply: true } }],
  ['network.shortTerm', { network: { shortTerm: 1 } }],
  ['replay.surpriseShare', { replay: { surpriseShare: 0.5 } }],
  ['selfPlay.search.varianceScale', { selfPlay: { search: { varianceScale: 1 } } }],
])('a configuration that enables %s is refused with the version that has it', (path, config) => {
  const { error } = RunConfig.safeParse(config);
  expect(error?.issues.map((issue) => issue.path.join('.'))).toEqual([path]);
  expect(error?.issues[0]?.message).toContain('version 1.0.0');
});

test('a checkpoint with a head that is gone is refused', async () => {
  const file = 'checkpoints/gen-000001/manifest.json';
  const run = copyOfRun(file, ({ details }: { details: { network: { reply: boolean } } }) => {
    details.network.reply = true;
  });
  await expect(runGess('inspect', join(run, 'checkpoints/gen-000001'))).rejects.toMatchObject({
    code: 'checkpoint-damaged',
    message: expect.stringContaining('version 1.0.0') as string,
  });
});
