import type { LaneAnswer, LaneRequest, LaneResult } from './lane-messages.js';

/** A worker of the browser that plays, one job at a time. */
export class PlayLane {
  /** Version of its ONNX Runtime. */
  readonly onnxRuntime: string;
  private readonly worker: Worker;
  /** Resolves once the last request has been answered or has failed. */
  private queue: Promise<unknown> = Promise.resolve();

  private constructor(worker: Worker, onnxRuntime: string) {
    this.worker = worker;
    this.onnxRuntime = onnxRuntime;
  }

  /** Starts a worker, and waits until it is there. */
  static async open(): Promise<PlayLane> {
    const worker = new Worker(new URL('./lane-worker.ts', import.meta.url), { type: 'module' });
    const onnxRuntime = await new Promise<string>((resolve, reject) => {
      worker.onmessage = ({ data }: MessageEvent<LaneAnswer>): void => {
        if (data.kind === 'ready') resolve(data.onnxRuntime);
      };
      worker.onerror = (event): void => {
        reject(new Error(`expected a worker that plays: ${event.message || 'it does not start'}`));
      };
    });
    return new PlayLane(worker, onnxRuntime);
  }

  /**
   * Answers a request, after those before.
   *
   * @param onNote called with each game that has ended.
   */
  run(request: LaneRequest, onNote?: () => void): Promise<LaneResult> {
    const answer = this.queue.then(() => this.ask(request, onNote));
    this.queue = answer.catch(() => undefined);
    return answer;
  }

  /** Ends it at once. */
  close(): void {
    this.worker.terminate();
  }

  private ask(request: LaneRequest, onNote?: () => void): Promise<LaneResult> {
    return new Promise((resolve, reject) => {
      this.worker.onmessage = ({ data }: MessageEvent<LaneAnswer>): void => {
        if (data.kind === 'note') onNote?.();
        else if (data.kind === 'result') resolve(data.result);
        else if (data.kind === 'failed') reject(new Error(data.message));
      };
      this.worker.onerror = (event): void => {
        reject(new Error(`the playing worker failed: ${event.message}`));
      };
      this.worker.postMessage(request);
    });
  }
}
