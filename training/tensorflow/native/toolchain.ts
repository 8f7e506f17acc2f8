import { spawn } from 'node:child_process';
import { systemErrorCode } from '../../../data/data-error.js';

/** The result of a command. */
export interface CommandResult {
  /** Exit code; null if a signal ended it. */
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  /** The text of both streams, in order of arrival. */
  readonly output: string;
}

/** A program with its leading arguments. */
export type Tool = readonly [command: string, ...args: string[]];

/** Runs a command to its end; null if the program does not exist. */
export function runCommand(
  [command, ...first]: Tool,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<CommandResult | null> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, [...first, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    let stdout = '';
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
      output += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    child.on('error', (error) => {
      const code = systemErrorCode(error);
      if (code === 'ENOENT' || code === 'EACCES') resolve(null);
      else reject(error);
    });
    child.on('close', (exitCode, signal) => {
      resolve({ exitCode, signal, stdout, output });
    });
  });
}

/** The last non-empty lines of a command's output, joined into one for a message. */
export function lastLines(output: string, count: number): string {
  const lines = output.split('\n').filter((line) => line.trim() !== '');
  return lines.slice(-count).join(' | ');
}

/** A tool that works, and the first line of its version text. */
export interface FoundTool {
  readonly tool: Tool;
  readonly version: string;
}

async function firstThatAnswers(
  candidates: readonly Tool[],
  question: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<FoundTool | null> {
  for (const tool of candidates) {
    const answer = await runCommand(tool, question, env);
    if (answer?.exitCode === 0) return { tool, version: answer.output.split('\n')[0]!.trim() };
  }
  return null;
}

const PYTHONS: readonly Tool[] = [['python3'], ['python']];

/** Finds Python on the `PATH` of `env`; null if there is none. */
export function findPython(env: NodeJS.ProcessEnv): Promise<FoundTool | null> {
  return firstThatAnswers(PYTHONS, ['--version'], env);
}

/** Finds a Python with pip; null if there is none. The version is pip's. */
export function findPip(env: NodeJS.ProcessEnv): Promise<FoundTool | null> {
  const candidates = PYTHONS.map(([python]): Tool => [python, '-m', 'pip']);
  return firstThatAnswers(candidates, ['--version'], env);
}

/** Finds the C++ compiler: `CXX` if set, as in make, else the first of the usual names; null if there is none. */
export function findCompiler(env: NodeJS.ProcessEnv): Promise<FoundTool | null> {
  const [command, ...args] = (env['CXX'] ?? '').split(' ').filter((word) => word !== '');
  const candidates: readonly Tool[] =
    command === undefined ? [['c++'], ['g++'], ['clang++']] : [[command, ...args]];
  return firstThatAnswers(candidates, ['--version'], env);
}
