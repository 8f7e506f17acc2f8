import { readPage } from './markdown.js';

/** A step of a page that runs as it stands: a file to write, or commands for the shell. */
export type Step =
  | { readonly kind: 'file'; readonly name: string; readonly text: string }
  | { readonly kind: 'commands'; readonly text: string };

/**
 * The blocks marked as runnable, in order: `sh run`, and programs with the name of their file, such as `js check.mjs`.
 */
export function runnableSteps(page: string): Step[] {
  const blocks = readPage(page).matchAll(/^```(\w+) ([\w.-]+)\n([^]*?)^```$/gm);
  return Array.from(blocks, ([, language, name, text]): Step => {
    if (name !== 'run') return { kind: 'file', name: name!, text: text! };
    if (language !== 'sh') throw new Error(`${page}: expected a block of sh to run, got ${language!}`);
    return { kind: 'commands', text: text! };
  });
}
