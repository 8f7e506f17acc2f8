import { connectFour } from '../../../env/connect-four/connect-four.js';
import type { Game } from '../../../env/game.js';
import { loadBrowserTensorflow } from './browser-tensorflow.js';
import { Gate } from './gate.js';
import { Judge } from './judge.js';
import type { LaboratoryAnswer, LaboratoryRequest } from './laboratory-messages.js';
import { MAX_GENERATIONS } from './laboratory-settings.js';
import { LearningRun, type RunTools } from './learning-run.js';
import { errorText } from '../../../env/text/error-text.js';

/** The part of the worker's global object in use; TypeScript's types for workers and for pages exclude each other. */
interface WorkerScope {
  onmessage: ((event: MessageEvent<LaboratoryRequest>) => void) | null;
  postMessage(answer: LaboratoryAnswer): void;
}
const scope = globalThis as unknown as WorkerScope;

const gate = new Gate();
/** Generations that wait for their matches, and a callback for when one is added. */
const unscored: number[] = [];
let wakeUp: (() => void) | null = null;
let judge: Promise<Judge> | null = null;

function guard(work: () => Promise<void>): void {
  work().catch((error: unknown) => {
    scope.postMessage({ kind: 'failed', message: errorText(error) });
  });
}

async function toolsOf(seed: number, breathe: RunTools['breathe']): Promise<RunTools> {
  const game = connectFour as Game<unknown>;
  return { tf: await loadBrowserTensorflow(), game, seed, breathe };
}

async function learnAll(seed: number): Promise<void> {
  const run = new LearningRun(await toolsOf(seed, () => gate.pass()));
  scope.postMessage({ kind: 'untrained', weights: run.weights });
  for (let number = 1; number <= MAX_GENERATIONS; number++) {
    const generation = await run.advance((progress) => {
      scope.postMessage({ kind: 'progress', progress });
    });
    scope.postMessage({ kind: 'learnt', generation });
  }
}

async function scoreAll(known: Judge): Promise<never> {
  for (;;) {
    const generation = unscored.shift();
    if (generation === undefined) {
      await new Promise<void>((resolve) => {
        wakeUp = resolve;
      });
      continue;
    }
    scope.postMessage({ kind: 'scored', scores: await known.score(generation) });
  }
}

async function answer(request: LaboratoryRequest): Promise<void> {
  switch (request.kind) {
    case 'learn':
      return learnAll(request.seed);
    case 'judge':
      judge = toolsOf(request.seed, () => gate.pass()).then((tools) => new Judge(tools));
      return scoreAll(await judge);
    case 'pause':
      gate.close();
      return;
    case 'resume':
      gate.open();
      return;
    case 'add':
      (await judge)?.add(request.generation, request.weights);
      unscored.push(request.generation);
      wakeUp?.();
      return;
    case 'choose': {
      const { generation, actions, simulations, id } = request;
      const action = await (await judge)!.choose(generation, actions, simulations);
      scope.postMessage({ kind: 'chosen', action, id });
    }
  }
}

scope.onmessage = ({ data }) => {
  guard(() => answer(data));
};
