import { existsSync, type FSWatcher, mkdirSync, readdirSync, watch } from 'node:fs';
import { basename, join } from 'node:path';
import { createRng, type Rng } from '../../../env/random.js';
import { childrenOf, type Ended, filesBelow, type Started, startTraining } from './tiny-run.js';

/** The stages in which a kill can hit a run, recognised by its half-written files or else by its last message. */
export const STAGES = [
  'self-play',
  'shard write',
  'learning',
  'checkpoint',
  'export to ONNX',
  'gate',
  'evaluation',
] as const;
/** One of `STAGES`, or none of them. */
export type Hit = (typeof STAGES)[number] | 'start or end';

/** Longest time before a kill at an arbitrary moment; a whole run takes longer. */
const LONGEST_LIFE_MS = 3000;
/** Longest time before a kill after the line that begins a stage, and after the first file of a write. */
const LONGEST_STAGE_MS = 60;
const LONGEST_WRITE_MS = 12;

const STAGE_LINE = /generation \d+, (?<stage>self-play|learning|gate|matches): /g;
const SAID: Readonly<Record<string, Hit>> = {
  'self-play': 'self-play',
  learning: 'learning',
  gate: 'gate',
  matches: 'evaluation',
};

/** The text that a run prints when a stage begins. */
const SAID_IN = new Map(Object.entries(SAID).map(([said, hit]) => [hit, said]));

/** The names in a folder; none if it does not exist, since it may be removed at any moment. */
function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** The kinds of half-written files that a killed run has left. */
function leftovers(run: string): {
  readonly shard: boolean;
  readonly checkpoint: boolean;
  readonly onnx: boolean;
} {
  const names = existsSync(run) ? filesBelow(run).map((path) => path.slice(run.length)) : [];
  const all = new Set(names);
  const shard = names.some(
    (name) =>
      /\/\.shard-\d+\.(arrow|json)\..*\.tmp$/.test(name) ||
      (name.endsWith('.arrow') && !all.has(name.replace('.arrow', '.json'))),
  );
  const parts = names.filter((name) => /\/checkpoints\/\.gen-.*\.tmp\//.test(name));
  const isWritten = (file: string): boolean => parts.some((name) => basename(name) === file);
  const onnx =
    parts.some((name) => /^\.model(-int8)?\.onnx\./.test(basename(name))) ||
    (isWritten('weights.bin') && isWritten('model.onnx') && !isWritten('optimizer.bin'));
  const checkpoint = namesIn(join(run, 'checkpoints')).some((name) => /^\.gen-.*\.tmp$/.test(name));
  return { shard, checkpoint, onnx };
}

function hitOf(run: string, { stderr }: Ended): Hit {
  const left = leftovers(run);
  if (left.onnx) return 'export to ONNX';
  if (left.checkpoint) return 'checkpoint';
  if (left.shard) return 'shard write';
  const said = Array.from(stderr.matchAll(STAGE_LINE)).at(-1)?.groups?.['stage'];
  return SAID[said ?? ''] ?? 'start or end';
}

/** Kills runs with SIGKILL repeatedly: each stage once, then the stage with the fewest hits, or an arbitrary moment. */
export class KillingSpree {
  /** Number of hits of each stage. */
  readonly hits = new Map<Hit, number>();
  private readonly config: string;
  private readonly folder: string;
  private readonly rng: Rng = createRng(Number(process.env['KILL_SEED'] ?? '1'), 'kills');
  private runs = 1;
  private finished = 0;

  /** @param config path of the configuration. @param folder prefix of the folders of the runs. */
  constructor(config: string, folder: string) {
    this.config = config;
    this.folder = folder;
  }

  /** Number of kills so far. */
  get kills(): number {
    return Array.from(this.hits.values()).reduce((sum, hits) => sum + hits, 0);
  }

  /** The folder of the current run: `folder-1`, then, once that is finished, `folder-2`. */
  get run(): string {
    return `${this.folder}-${this.runs}`;
  }

  /**
   * Resumes the run, and kills it.
   *
   * @returns the folder of the run if it finished before the kill: the next kill hits a new run; else null.
   */
  async kill(): Promise<string | null> {
    const started = startTraining('--config', this.config, '--out', this.run, '--resume');
    const disarm = this.arm(started);
    const result = await started.ended;
    disarm();
    if (result.code === 0) {
      this.finished += 1;
      this.runs += 1;
      return `${this.folder}-${this.runs - 1}`;
    }
    if (result.signal !== 'SIGKILL') throw new Error(`the run failed by itself: ${result.stderr}`);
    const hit = hitOf(this.run, result);
    this.hits.set(hit, (this.hits.get(hit) ?? 0) + 1);
    return null;
  }

  /** Resumes the run to its end; returns its folder. */
  async finish(): Promise<string> {
    const { code, stderr } = await startTraining('--config', this.config, '--out', this.run, '--resume')
      .ended;
    if (code !== 0 || stderr.includes('    at ')) throw new Error(`the run failed by itself: ${stderr}`);
    return this.run;
  }

  /** The number of hits of each stage, as text. */
  summary(): string {
    const parts = [...STAGES, 'start or end' as const].map(
      (stage) => `${stage} ${this.hits.get(stage) ?? 0}`,
    );
    return `${this.kills} kills: ${parts.join(', ')}; ${this.finished} runs finished in between`;
  }

  /** Schedules the kill of the run; returns a function that cancels it. */
  private arm(started: Started): () => void {
    const { rng } = this;
    const least = [...STAGES].sort((a, b) => (this.hits.get(a) ?? 0) - (this.hits.get(b) ?? 0))[0]!;
    // Some kills include the workers, others make them notice their parent's end; workers that write must be killed.
    const withWorkers = least === 'shard write' || rng.float() < 0.5;
    const timers: NodeJS.Timeout[] = [];
    const kill = (): void => {
      const pids = withWorkers ? childrenOf(started.child.pid!) : [];
      started.child.kill('SIGKILL');
      for (const pid of pids) process.kill(pid, 'SIGKILL');
    };
    const killWithin = (longestMs: number): void => {
      if (longestMs === 0) kill();
      else timers.push(setTimeout(kill, rng.float() * longestMs));
    };
    const stop = [
      (): void => {
        timers.forEach(clearTimeout);
      },
    ];
    const said = SAID_IN.get(least);
    const isAnywhere = this.hits.has(least) && rng.float() < 0.5;
    if (isAnywhere) killWithin(LONGEST_LIFE_MS);
    else if (said !== undefined)
      started.onceSaid(`, ${said}: `, () => {
        killWithin(LONGEST_STAGE_MS);
      });
    else if (least === 'shard write') {
      stop.push(
        this.whenWriting('data', /^\.shard-.*\.tmp$/, () => {
          killWithin(0);
        }),
      );
    } else {
      const hasPart = (folder: string): boolean =>
        least === 'checkpoint'
          ? existsSync(folder)
          : namesIn(folder).some((name) => /^\.?model\.onnx/.test(name));
      stop.push(
        this.whenWriting('checkpoints', /^\.gen-\d+\..*\.tmp$/, (folder) => {
          // The files of a checkpoint exist too briefly for file events to report them in time.
          const look = (): void => {
            if (hasPart(folder)) killWithin(least === 'checkpoint' ? LONGEST_WRITE_MS : 0);
            else if (existsSync(folder)) setImmediate(look);
          };
          look();
        }),
      );
    }
    return () => {
      for (const call of stop) call();
    };
  }

  /**
   * Calls `call` once with the path of the first new entry in `folder` that matches `name`; returns a function that
   * stops watching.
   */
  private whenWriting(folder: string, name: RegExp, call: (path: string) => void): () => void {
    let isCalled = false;
    const watchers: FSWatcher[] = [];
    const look = (inside: string): void => {
      const watcher = watch(inside, (_event, entry) => {
        if (entry === null || isCalled) return;
        const path = join(inside, entry);
        if (name.test(entry)) {
          isCalled = true;
          call(path);
        } else if (/^gen-\d+$/.test(entry) && existsSync(path) && folder === 'data') look(path);
      });
      watcher.on('error', () => undefined);
      watchers.push(watcher);
    };
    const whole = join(this.run, folder);
    mkdirSync(whole, { recursive: true });
    look(whole);
    if (folder === 'data') for (const entry of readdirSync(whole)) look(join(whole, entry));
    return () => {
      for (const watcher of watchers) watcher.close();
    };
  }
}
