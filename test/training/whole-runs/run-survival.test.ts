import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { isLong } from '../../long-tests.js';
import { EXPORT_FILES } from '../../../training/export/export-files.js';
import { runPaths } from '../../../training/run/run-paths.js';
import { writeRecord } from '../../../training/run/run-record-file.js';
import { verify } from '../../../training/run/run-verification.js';
import { CalmRun, halfWritten } from './calm-run.js';
import { CAN_MOUNT, SmallDisk } from './small-disk.js';
import { childrenOf, filesBelow, start, startTraining, TINY_CONFIG, train } from './tiny-run.js';
import { LAUNCHER } from '../../scripts/usage/launcher.js';

const CLOCK = pathToFileURL(join(import.meta.dirname, 'jumping-clock.mjs')).href;

let calm: CalmRun;

beforeAll(async () => {
  calm = await CalmRun.train();
}, 120_000);

afterAll(() => {
  calm.remove();
});

describe.runIf(isLong)('a signal', () => {
  test('stops the run after the unit of work in progress, in each stage', { timeout: 240_000 }, async () => {
    const run = join(calm.folder, 'asked');
    const moments: [NodeJS.Signals, string][] = [
      ['SIGINT', 'generation 1, self-play'],
      ['SIGTERM', 'generation 1, learning'],
      ['SIGHUP', 'generation 2, self-play'],
      ['SIGTERM', 'generation 3, matches'],
    ];
    for (const [signal, moment] of moments) {
      const { child, ended, onceSaid } = startTraining(
        '--config',
        calm.config,
        '--out',
        run,
        '--resume',
        '--json',
      );
      onceSaid(moment, () => child.kill(signal));
      const { code, stdout, stderr } = await ended;
      expect(code, stderr).toBe(128 + constants.signals[signal]);
      expect(JSON.parse(stdout), `${signal} at ${moment}`).toMatchObject({ finished: false });
      expect(stderr).toContain(`gess train --out ${run} --resume`);
      expect(halfWritten(run)).toEqual([]);
      expect(filesBelow(run).filter((path) => path.endsWith('.lock'))).toEqual([]);
    }
    await calm.expectToFinish(run);
  });

  test.each<[NodeJS.Signals, number]>([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ])('%s a second time ends the run at once', { timeout: 120_000 }, async (signal, exitCode) => {
    const run = join(calm.folder, signal);
    const slow = join(calm.folder, 'slow.json');
    // One job that takes minutes, and no matches before it, so that a playing process must be working on the job.
    const warmStart = { agent: 'alphabeta:timeMs=200', games: 40 };
    const changes = { warmStart, selfPlay: { gamesPerShard: 40 }, evaluation: { every: 0 } };
    writeFileSync(slow, JSON.stringify({ ...TINY_CONFIG, ...changes }));
    const { child, ended, onceSaid } = startTraining('--config', slow, '--out', run);
    onceSaid('generation 1, self-play', () => {
      const playing = setInterval(() => {
        if (childrenOf(child.pid!).length === 0) return;
        clearInterval(playing);
        child.kill(signal);
      }, 5);
    });
    onceSaid('press again to stop at once', () => {
      // Two signals within half a second are one press of Ctrl-C.
      setTimeout(() => child.kill(signal), 600);
    });
    expect((await ended).code).toBe(exitCode);
    const again = startTraining('--out', run, '--resume');
    again.onceSaid('generation 1, self-play', () => again.child.kill('SIGKILL'));
    expect((await again.ended).signal).toBe('SIGKILL');
  });

  const hasPython = spawnSync('python3', ['-c', 'import pty']).status === 0;

  test.runIf(hasPython)('from a closed terminal stops it too', { timeout: 120_000 }, async () => {
    const run = join(calm.folder, 'hung-up');
    const program = [
      'import fcntl, os, pty, struct, sys, termios',
      'pid, terminal = pty.fork()',
      "if pid == 0: fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack('HHHH', 24, 80, 0, 0))",
      'if pid == 0: os.execv(sys.argv[1], sys.argv[1:])',
      "seen = b''",
      "while b', self-play' not in seen: seen += os.read(terminal, 4096)",
      'os.close(terminal)',
      'print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))',
    ].join('\n');
    const words = [process.execPath, LAUNCHER, 'train', '--config', calm.config, '--out', run];
    const { code, stdout, stderr } = await start('python3', ['-c', program, ...words]).ended;
    expect(code, stderr).toBe(0);
    // 128 + SIGHUP; 1 if its last line could not be written to the closed terminal.
    expect(['129', '1']).toContain(stdout.trim());
    expect(halfWritten(run)).toEqual([]);
    // The number of shards begun by then depends on timing; the generation is not finished.
    expect(existsSync(join(run, 'checkpoints', 'gen-000002'))).toBe(false);
    await calm.expectToFinish(run);
  });
});

/** The first files of a run; room is added file by file until each of them has failed once. */
const FIRST_FILES = ['run.json', 'model.json', 'weights.bin', 'model.onnx', 'optimizer.bin'] as const;

/**
 * Splits damaged files of a run into rounds that hide no other file: a damaged list hides the files that it names. So a
 * round has one file of each folder, and one of all that the records of the run lead to.
 */
function roundsOf(run: string, paths: readonly string[]): string[][] {
  const rounds: string[][] = [];
  const taken = new Map<string, number>();
  for (const path of paths) {
    const folder = relative(run, dirname(path));
    const group = folder.startsWith('tensorboard') ? '' : folder;
    const round = taken.get(group) ?? 0;
    taken.set(group, round + 1);
    (rounds[round] ??= []).push(path);
  }
  return rounds;
}

describe('a run without room', () => {
  test.runIf(isLong && CAN_MOUNT)(
    'for any further file or name names it, and resumes when there is room',
    { timeout: 400_000 },
    async () => {
      const scratch = mkdtempSync(join(tmpdir(), 'gess-disk-'));
      const disk = new SmallDisk(scratch);
      onTestFinished(() => {
        disk.dispose();
        rmSync(scratch, { recursive: true });
      });
      const run = join(disk.folder, 'run');
      // One player, so that chance does not decide which file of two shards is the first without room.
      const line =
        `${process.execPath} ${LAUNCHER} train --config ${calm.config} --set selfPlay.processes=1` +
        ` --out ${run} --resume`;
      const seen = new Set<string>();
      // First too few bytes for run.json, then room file by file, then bytes that run out in the middle of files.
      let inodes = 6;
      let kilobytes = 4;
      await disk.mount(`nr_inodes=10000,size=${kilobytes}k`);
      for (;;) {
        const { code, stderr } = await disk.run(line);
        expect(stderr).not.toContain('    at ');
        if (code === 0) break;
        expect(code).toBe(1);
        const path = /no room to write (\S+) \(ENOSPC\) \[disk-full\]/.exec(stderr)?.[1];
        expect(path, stderr).toContain(disk.folder);
        const kind = basename(path!).replaceAll(/\d+/g, '#');
        const isNew = !seen.has(kind);
        seen.add(kind);
        expect(halfWritten(disk.seenFromHere)).toEqual([]);
        if (seen.has('shard-#.json')) {
          kilobytes += 150;
          await disk.resize(`nr_inodes=10000,size=${kilobytes}k`);
        } else {
          inodes += isNew || !FIRST_FILES.every((name) => seen.has(name)) ? 1 : 3;
          kilobytes = 160;
          await disk.resize(`nr_inodes=${inodes},size=10m`);
        }
      }
      const there = join(disk.seenFromHere, 'run');
      calm.expectSameOfOtherConfiguration(there);
      console.log(`without room for ${[...seen].sort().join(', ')}`);
      expect([...seen]).toEqual(expect.arrayContaining([...FIRST_FILES]));
      expect([...seen]).toEqual(expect.arrayContaining(['manifest.json', 'shard-#.arrow', 'shard-#.json']));
    },
  );
});

test.runIf(isLong)('a clock that jumps by years changes nothing', { timeout: 120_000 }, async () => {
  const run = join(calm.folder, 'jumping');
  const env = { NODE_OPTIONS: `--import=${CLOCK}` };
  const words = [LAUNCHER, 'train', '--config', calm.config, '--out', run, '--resume'];
  // Killed, so that a process with another time takes over its lock.
  const first = start(process.execPath, words, env);
  first.onceSaid('generation 2, self-play', () => first.child.kill('SIGKILL'));
  expect((await first.ended).signal).toBe('SIGKILL');
  const { code, stderr } = await start(process.execPath, words, env).ended;
  expect(code, stderr).toBe(0);
  // Rates and remaining times are sound, since they are measured by a clock that does not jump.
  expect(stderr).not.toMatch(/-\d+(\.\d+)?\/s|NaN|Infinity/);
  calm.expectSame(run);
});

test.runIf(isLong)('the number of processes changes no bytes', { timeout: 120_000 }, async () => {
  const three = join(calm.folder, 'three');
  const { child, ended, onceSaid } = startTraining('--config', calm.config, '--out', three);
  onceSaid('generation 1, self-play', () => child.kill('SIGKILL'));
  await ended;
  await calm.expectToFinish(three, '--set', 'selfPlay.processes=3');

  const one = join(calm.folder, 'one');
  const { code, stderr } = await train(
    '--config',
    calm.config,
    '--set',
    'selfPlay.processes=1',
    '--out',
    one,
  );
  expect(code, stderr).toBe(0);
  calm.expectSameOfOtherConfiguration(one);
});

describe.runIf(isLong)('a byte that is flipped', () => {
  /**
   * Every name that a run's folder can contain, except for locks, which last as long as a process, and users' files.
   */
  const NAMES = [
    'run.json',
    'live.json',
    'report.html',
    'steps.jsonl',
    'metrics.jsonl',
    'evaluations.jsonl',
    'gates.jsonl',
    'removed.jsonl',
    'accuracy.jsonl',
    'tensorboard/events.out.tfevents.#.gess-zero',
    'tensorboard/steps/events.out.tfevents.#.gess-zero-steps',
    'data/gen-#/shard-#.arrow',
    'data/gen-#/shard-#.json',
    ...['model.json', 'weights.bin', 'model.onnx', 'model-int#.onnx', 'learner.bin', 'optimizer.bin'].map(
      (name) => `checkpoints/gen-#/${name}`,
    ),
    'checkpoints/gen-#/manifest.json',
    ...['gate', 'generation-#', 'random'].flatMap((opponent) =>
      ['match.json', 'games/pair-#-#.json'].map((name) => `matches/gen-#/${opponent}-HASH/${name}`),
    ),
    ...Object.values(EXPORT_FILES).map((name) => `export/${name.replace('int8', 'int#')}`),
  ];

  test('anywhere in any file of a run is detected, and the file is named', { timeout: 240_000 }, async () => {
    const run = join(calm.folder, 'flipped');
    cpSync(calm.path, run, { recursive: true });
    const retention = ['--set', 'retention.checkpoints.last=1', '--set', 'generations=4'];
    const more = await train('--out', run, '--resume', ...retention);
    expect(more.code, more.stderr).toBe(0);
    const checkpoint = join(run, 'checkpoints', 'gen-000004');
    // No command writes into a run, but a user may move an export there.
    const outside = join(calm.folder, 'exported');
    const words = [LAUNCHER, 'export', '--checkpoint', checkpoint, '--out', outside];
    const exported = await start(process.execPath, words).ended;
    expect(exported.code, exported.stderr).toBe(0);
    renameSync(outside, join(run, 'export'));

    // Written as `gess accuracy` does it.
    const accuracy = { agent: 'policy', positions: 2, best: 1, decisive: 1, bestOfDecisive: 0 };
    await writeRecord(runPaths(run), 'accuracies', { generation: 4, key: 'policy', ...accuracy });

    const files = filesBelow(run);
    const kinds = files.map((path) =>
      path
        .slice(run.length + 1)
        .replace(/-[0-9a-f]{8}\//, '-HASH/')
        .replaceAll(/\d+/g, '#'),
    );
    expect([...new Set(kinds)].sort()).toEqual([...NAMES].sort());
    expect(await verify(run, { deep: false })).toMatchObject({
      problems: [],
      unchecked: [],
      files: files.length,
    });
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: files.length - 1 }),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        fc.integer({ min: 0, max: 7 }),
        async (first, where, bit) => {
          // Beginning at a randomly chosen file, one file of each kind.
          const rotated = [...files.slice(first), ...files.slice(0, first)];
          const chosen = new Map(rotated.map((path) => [basename(path).replaceAll(/\d+/g, '#'), path]));
          // Written every second while the run works; nothing depends on it, and it has no checksum.
          chosen.delete('live.json');
          for (const paths of roundsOf(run, [...chosen.values()])) {
            const intact = new Map(paths.map((path) => [path, readFileSync(path)]));
            for (const [path, bytes] of intact) {
              const damaged = Buffer.from(bytes);
              damaged[Math.floor(where * bytes.length)]! ^= 1 << bit;
              writeFileSync(path, damaged);
            }
            const { problems } = await verify(run, { deep: false });
            for (const path of paths) {
              expect(problems.map((problem) => problem.path)).toContain(path);
              expect(problems.find((problem) => problem.path === path)!.message).toContain(path);
            }
            for (const [path, bytes] of intact) writeFileSync(path, bytes);
          }
        },
      ),
      { numRuns: 12, endOnFailure: true },
    );
    expect((await verify(run, { deep: true })).problems).toEqual([]);
  });
});
