import { createProgram } from '../../scripts/program.js';
import type { Output } from '../../scripts/output.js';

/** The lines that a command wrote. */
export interface Captured extends Output {
  readonly results: string[];
  readonly messages: string[];
}

export function captureOutput(): Captured {
  const results: string[] = [];
  const messages: string[] = [];
  return {
    results,
    messages,
    result: (text) => {
      results.push(text);
    },
    line: (text) => {
      results.push(text);
      return Promise.resolve();
    },
    message: (text) => {
      messages.push(text);
    },
  };
}

/** Runs `gess` with these words in this process; rejects with the error of the command. */
export async function runGess(...words: readonly string[]): Promise<Captured> {
  const output = captureOutput();
  const program = createProgram(output);
  await program.parseAsync(words, { from: 'user' });
  return output;
}

/** Runs `gess` with these words and returns the error that it rejects with, beside its output. */
export async function failGess(words: readonly string[]): Promise<Captured & { readonly error: unknown }> {
  const output = captureOutput();
  try {
    await createProgram(output).parseAsync(words, { from: 'user' });
  } catch (error) {
    return { ...output, error };
  }
  throw new Error(`expected an error of gess ${words.slice(0, 20).join(' ')}`);
}

/** Runs `gess` with `--json` and parses the one object that it prints. */
export async function runGessJson(...words: readonly string[]): Promise<unknown> {
  const { results } = await runGess(...words, '--json');
  if (results.length !== 1) throw new Error(`expected one result, got ${results.length}`);
  return JSON.parse(results[0]!);
}
