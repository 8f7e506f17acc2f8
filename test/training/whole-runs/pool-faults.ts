import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { connect } from '@nats-io/transport-node';
import { createRng, type Rng } from '../../../env/random.js';
import { WORKERS_FILE } from '../../../training/run/run-paths.js';
import { ownIdentity } from '../../../training/workers/pool/wire/worker-identity.js';
import { readTicket } from '../../../training/workers/pool/wire/pool-ticket.js';
import { runPoolWorker } from '../../../training/workers/pool/worker/worker-run.js';
import { Liar } from '../workers/pool/liar.js';
import { NatsServer } from '../workers/pool/nats-server.js';
import type { CalmRun } from './calm-run.js';
import { CAN_MOUNT, SmallDisk } from './small-disk.js';
import { records, type Started, start, startTraining } from './tiny-run.js';
import { LAUNCHER } from '../../scripts/usage/launcher.js';

/** Longest time between two faults, and longest time for which a process is stopped or messages arrive twice. */
const LONGEST_PAUSE_MS = 3000;
const LONGEST_STOP_MS = 8000;
/** Time for a liar or a worker of another version to get its answer. */
const LONGEST_VISIT_MS = 30_000;

const WORKERS = ['one', 'two', 'three'] as const;

const FAULTS = [
  'a worker is killed',
  'a worker is stopped',
  'the coordinator is killed',
  'the coordinator is stopped',
  'the server is killed',
  'the server is stopped',
  'messages arrive twice',
  'a disk is full',
  'a worker has another version',
  'a worker lies',
] as const;
type Fault = (typeof FAULTS)[number];

/** The fate of a liar. */
export interface Lie {
  readonly key: string;
  readonly hasLied: boolean;
  readonly isFound: boolean;
}

/** Runs on many machines, hit by faults at random moments, each kind equally often. */
export class PoolFaults {
  readonly lies: Lie[] = [];
  /** Shards of workers in the finished runs. */
  shards = 0;
  private readonly hits = new Map<Fault, number>();
  private readonly calm: CalmRun;
  private readonly server: NatsServer;
  private readonly rng: Rng = createRng(Number(process.env['FAULT_SEED'] ?? '1'), 'faults');
  private readonly workers = new Map<string, Started>();
  private deck: Fault[] = [];
  private runs = 1;
  private visitors = 0;
  private coordinator: Started;
  /** Aborted when the coordinator has ended. */
  private ended = new AbortController();

  private constructor(calm: CalmRun, server: NatsServer) {
    this.calm = calm;
    this.server = server;
    for (const name of WORKERS) this.startWorker(name);
    this.coordinator = this.startCoordinator();
  }

  static async start(calm: CalmRun): Promise<PoolFaults> {
    return new PoolFaults(calm, await NatsServer.start());
  }

  /** Number of faults so far. */
  get count(): number {
    return [...this.hits.values()].reduce((sum, hits) => sum + hits, 0);
  }

  /** Waits for a random time, then causes a fault. If the run has finished, it is compared and another one begins. */
  async next(): Promise<void> {
    const pause = delay(this.rng.float() * LONGEST_PAUSE_MS);
    await Promise.race([pause, this.coordinator.ended]);
    if (this.ended.signal.aborted) await this.settle();
    const fault = this.draw();
    await this.happen(fault);
    this.hits.set(fault, (this.hits.get(fault) ?? 0) + 1);
  }

  /** Lets the current run finish, and compares it. */
  async finish(): Promise<void> {
    const { runs } = this;
    while (this.runs === runs) {
      await this.coordinator.ended;
      await this.settle();
    }
  }

  /** Ends all processes. */
  async dispose(): Promise<void> {
    for (const { child } of [this.coordinator, ...this.workers.values()]) child.kill('SIGKILL');
    await Promise.all([this.coordinator, ...this.workers.values()].map(({ ended }) => ended));
    await this.server.remove();
  }

  /** The events so far, as text. */
  summary(): string {
    const parts = FAULTS.map((fault) => `${fault} ${this.hits.get(fault) ?? 0}`);
    const lies = `${this.lies.filter(({ hasLied }) => hasLied).length} lies, ${this.lies.filter(({ isFound }) => isFound).length} found`;
    return `${this.count} faults: ${parts.join(', ')}; ${lies}; ${this.runs - 1} runs finished, ${this.shards} shards of workers`;
  }

  private get run(): string {
    return join(this.calm.folder, `faults-${this.runs}`);
  }

  private draw(): Fault {
    if (this.deck.length === 0) this.deck = FAULTS.filter((fault) => CAN_MOUNT || fault !== 'a disk is full');
    return this.deck.splice(this.rng.integer(this.deck.length), 1)[0]!;
  }

  private startWorker(name: string, cache = join(this.calm.folder, name)): Started {
    const words = ['worker', '--pool', this.server.url, '--processes', '1', '--cache', cache];
    const started = start(process.execPath, [LAUNCHER, ...words]);
    this.workers.set(name, started);
    return started;
  }

  private startCoordinator(): Started {
    const { config } = this.calm;
    const started = startTraining(
      '--config',
      config,
      '--out',
      this.run,
      '--resume',
      '--pool',
      this.server.url,
    );
    const end = new AbortController();
    this.ended = end;
    void started.ended.then(() => {
      end.abort();
    });
    return started;
  }

  /** After the coordinator's end: compares a finished run, and begins another one; else resumes. */
  private async settle(): Promise<void> {
    const { code, signal, stderr } = await this.coordinator.ended;
    if (code === 0) {
      this.calm.expectSame(this.run);
      this.countShards();
      this.runs += 1;
    } else if (signal !== 'SIGKILL') throw new Error(`the run failed by itself: ${stderr}`);
    this.coordinator = this.startCoordinator();
  }

  /** Counts the shards of workers in a finished run, none of which is a lie. */
  private countShards(): void {
    // The coordinator plays a whole run by itself if the faults keep every worker away.
    if (!existsSync(join(this.run, WORKERS_FILE))) return;
    const entries = records<{ kind: string; worker: string }>(this.run, WORKERS_FILE);
    const accepted = entries.filter(({ kind }) => kind === 'accepted');
    const liars = new Set(this.lies.map(({ key }) => key));
    const believed = accepted.filter(({ worker }) => liars.has(worker));
    if (believed.length > 0) throw new Error(`lies were taken for games: ${JSON.stringify(believed)}`);
    this.shards += accepted.length;
  }

  private async happen(fault: Fault): Promise<void> {
    const name = WORKERS[this.rng.integer(WORKERS.length)]!;
    switch (fault) {
      case 'a worker is killed':
        await this.kill(this.workers.get(name)!);
        this.startWorker(name);
        return;
      case 'a worker is stopped':
        return this.stopAWhile(this.workers.get(name)!.child.pid!);
      case 'the coordinator is killed':
        await this.kill(this.coordinator);
        return this.settle();
      case 'the coordinator is stopped':
        return this.stopAWhile(this.coordinator.child.pid!);
      case 'the server is killed':
        await this.server.kill();
        return this.server.run();
      case 'the server is stopped':
        return this.stopAWhile(this.server.pid);
      case 'messages arrive twice':
        return this.doubleMessages();
      case 'a disk is full':
        return this.fillDisk();
      case 'a worker has another version':
        return this.visitWithOtherVersion();
      case 'a worker lies':
        return this.lie();
    }
  }

  private async kill({ child, ended }: Started): Promise<void> {
    child.kill('SIGKILL');
    await ended;
  }

  private async stopAWhile(pid: number): Promise<void> {
    try {
      process.kill(pid, 'SIGSTOP');
      await delay(this.rng.float() * LONGEST_STOP_MS);
      process.kill(pid, 'SIGCONT');
    } catch (error) {
      // The process has already ended: the run is finished.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }

  private async doubleMessages(): Promise<void> {
    const nc = await connect({ servers: this.server.url, noEcho: true });
    for (const subject of ['gess.worker.*.*', 'gess.results.*.*']) {
      nc.subscribe(subject, {
        callback: (error, { subject: own, data, headers, reply }) => {
          if (error !== null) return;
          // Without this header the server also stores the second result.
          headers?.delete('Nats-Expected-Last-Subject-Sequence');
          nc.publish(own, data, { ...(headers && { headers }), ...(reply && { reply }) });
        },
      });
    }
    await delay(this.rng.float() * LONGEST_STOP_MS);
    await nc.close();
  }

  /** A signal for the end of a visit: when the coordinator ends, or after a time limit. */
  private visitEnd(): AbortSignal {
    return AbortSignal.any([this.ended.signal, AbortSignal.timeout(LONGEST_VISIT_MS)]);
  }

  private visitorFolder(): string {
    this.visitors += 1;
    const folder = join(this.calm.folder, `visitor-${this.visitors}`);
    mkdirSync(folder);
    return folder;
  }

  /** A worker joins whose disk has no room for a network. */
  private async fillDisk(): Promise<void> {
    const disk = new SmallDisk(this.visitorFolder());
    await disk.mount('size=8k');
    const worker = this.startWorker('full', join(disk.seenFromHere, 'cache'));
    const failed = new Promise<void>((resolve) => {
      worker.onceSaid('no room', resolve);
    });
    const end = this.visitEnd();
    await Promise.race([
      failed,
      new Promise((resolve) => {
        end.addEventListener('abort', resolve);
      }),
    ]);
    await this.kill(worker);
    this.workers.delete('full');
    disk.dispose();
  }

  private async visitWithOtherVersion(): Promise<void> {
    const identity = { ...ownIdentity(1), version: '99.0.0' };
    const options = { processes: 1, player: this.visitorFolder(), onMessage: () => undefined, identity };
    const signal = this.visitEnd();
    try {
      const { jobs } = await runPoolWorker(await readTicket(this.server.url), { ...options, signal });
      if (jobs > 0) throw new Error('a worker of another version has played');
    } catch (error) {
      if ((error as { code?: string }).code !== 'pool-version') throw error;
    }
  }

  private async lie(): Promise<void> {
    const trick = Liar.tricks[this.rng.integer(Liar.tricks.length)]!;
    const liar = await Liar.join(this.server.url, trick, { folder: this.visitorFolder() });
    const { hasLied, isFound } = await liar.lieOnce(this.visitEnd());
    this.lies.push({ key: liar.key, hasLied, isFound });
  }
}
