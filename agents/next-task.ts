/** Node's function, which browsers lack. */
const { setImmediate } = globalThis as { readonly setImmediate?: (task: () => void) => unknown };

/** The part of a port that is used: the types of Node and of browsers differ. */
interface Port {
  onmessage: (() => void) | null;
  postMessage(message: null): void;
}

const waiting: (() => void)[] = [];
let sender: Port | undefined;

function post(task: () => void): void {
  if (sender === undefined) {
    const { port1, port2 } = new MessageChannel() as unknown as {
      readonly port1: Port;
      readonly port2: Port;
    };
    port1.onmessage = () => waiting.shift()?.();
    sender = port2;
  }
  waiting.push(task);
  sender.postMessage(null);
}

/**
 * Resolves in a new task, after waiting messages and signals. A process or worker that only awaits promises would never
 * receive them; a timer would take four milliseconds in browsers.
 */
export function nextTask(): Promise<void> {
  return new Promise(setImmediate ?? post);
}
