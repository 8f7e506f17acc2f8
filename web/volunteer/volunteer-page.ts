import type { VolunteerAnswer, VolunteerRequest } from './volunteer-messages.js';

/** Lines of the log that stay. */
const MOST_LINES = 100;

function element<Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind {
  const found = document.getElementById(id);
  if (found instanceof kind) return found;
  throw new Error(`expected an element ${id}`);
}

const form = element('settings', HTMLFormElement);
const file = element('ticket', HTMLInputElement);
const address = element('address', HTMLInputElement);
const lanes = element('lanes', HTMLInputElement);
const start = element('start', HTMLButtonElement);
const stop = element('stop', HTMLButtonElement);
const state = element('state', HTMLElement);
const games = element('games', HTMLElement);
const shards = element('shards', HTMLElement);
const log = element('log', HTMLOListElement);

let worker: Worker | null = null;

function write(text: string): void {
  const line = document.createElement('li');
  line.textContent = text;
  log.append(line);
  while (log.children.length > MOST_LINES) log.firstElementChild!.remove();
}

function showRunning(isRunning: boolean): void {
  start.disabled = isRunning;
  stop.disabled = !isRunning;
  for (const input of [file, address, lanes]) input.disabled = isRunning;
}

function finish(text: string): void {
  worker?.terminate();
  worker = null;
  showRunning(false);
  state.textContent = text;
}

function receive(answer: VolunteerAnswer): void {
  switch (answer.kind) {
    case 'said':
      state.textContent = 'Connected.';
      write(answer.text);
      return;
    case 'played':
      games.textContent = String(answer.games);
      shards.textContent = String(answer.shards);
      return;
    case 'ended':
      finish('Stopped.');
      return;
    case 'failed':
      finish(`Stopped: ${answer.message} [${answer.code}]`);
  }
}

function ask(request: VolunteerRequest): void {
  worker?.postMessage(request);
}

async function begin(): Promise<void> {
  showRunning(true);
  state.textContent = 'Connecting …';
  const ticket = (await file.files?.[0]?.text()) ?? null;
  worker = new Worker(new URL('./volunteer-worker.ts', import.meta.url), { type: 'module' });
  worker.onmessage = ({ data }: MessageEvent<VolunteerAnswer>): void => {
    receive(data);
  };
  worker.onerror = (event): void => {
    finish(`Stopped: ${event.message}`);
  };
  ask({ kind: 'start', ticket, url: address.value.trim(), lanes: lanes.valueAsNumber });
}

// The link that gess serve prints names the address.
address.value = location.hash.slice(1);
lanes.max = String(navigator.hardwareConcurrency);
form.addEventListener('submit', (event) => {
  event.preventDefault();
  void begin();
});
stop.addEventListener('click', () => {
  state.textContent = 'Finishing the games in progress …';
  stop.disabled = true;
  ask({ kind: 'stop' });
});
