import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { nodeOnCore } from '../../env/processes/bound-node.js';

/** Arguments of a process, and variables of its environment besides those of this program. */
interface ChildOptions {
  readonly words?: readonly string[];
  readonly variables?: Readonly<Record<string, string>>;
  /** Node's own options for it; by default those of this program. */
  readonly nodeOptions?: readonly string[];
  /** Core to bind the process to; by default it is not bound. */
  readonly core?: number | undefined;
}

/**
 * Runs a module of this folder or below in a process of its own, which sends one message.
 *
 * @param name such as `./self-play/self-play-process.js`.
 * @returns the message.
 */
export async function resultOfChild<Result>(
  name: string,
  { words = [], variables = {}, nodeOptions, core }: ChildOptions = {},
): Promise<Result> {
  const path = fileURLToPath(new URL(name, import.meta.url));
  const child = fork(path, words, {
    env: { ...process.env, ...variables },
    ...nodeOnCore(core, nodeOptions),
  });
  const ended = once(child, 'exit').then(() => {
    throw new Error(`${path} ended without a result`);
  });
  const [result] = (await Promise.race([once(child, 'message'), ended])) as [Result];
  return result;
}
