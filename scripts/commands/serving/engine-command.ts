import type { Command } from '@commander-js/extra-typings';
import { AnalysisEngine } from '../../engine/analysis/analysis-engine.js';
import { Engine } from '../../engine/engine.js';
import { EngineError } from '../../engine/engine-error.js';
import type { EngineSettings } from '../../engine/engine-options.js';
import { readLines } from '../../line-protocol/answered-lines.js';
import { RequestError } from '../../line-protocol/json-requests.js';
import { standardInput } from '../../line-protocol/standard-input.js';
import { gameOption, rulesOption } from '../../options/game-options.js';
import { wholeNumber } from '../../options/numbers.js';
import type { Output } from '../../output.js';
import { MAX_SEED } from '../../../training/play/engines/engine-limits.js';

/** Executes the commands of the text protocol. */
async function followCommands(
  output: Output,
  input: AsyncIterable<Uint8Array>,
  settings: EngineSettings,
): Promise<void> {
  let written = Promise.resolve();
  const engine = new Engine(settings, (line) => {
    written = output.line(line);
  });
  try {
    const hasEnded = await readLines(input, {
      take: async (line) => {
        const goesOn = engine.receive(line);
        // The next line is read once the answers have been read.
        await written;
        return goesOn;
      },
      refuse: async (fault, message) => {
        engine.reportError(new EngineError(`engine-${fault}`, message));
        await written;
      },
    });
    await engine.finish(!hasEnded);
  } finally {
    await engine.close();
  }
}

/** Answers the queries of the analysis mode. */
async function answerQueries(
  output: Output,
  input: AsyncIterable<Uint8Array>,
  settings: EngineSettings,
): Promise<void> {
  const engine = new AnalysisEngine(settings, (line) => output.line(line));
  try {
    await readLines(input, {
      take: async (line) => {
        await engine.receive(line);
        return true;
      },
      refuse: (fault, message) => engine.refuse(new RequestError(`request-${fault}`, message)),
    });
    await engine.finish();
  } finally {
    await engine.close();
  }
}

/** `gess engine`: an agent behind a text protocol like UCI's, for boards and match programs. */
export function defineEngine(
  command: Command,
  output: Output,
  input: () => AsyncIterable<Uint8Array> = standardInput,
): void {
  command
    .option(
      '--agent <text>',
      'agent such as alphabeta:depth=4 (default: the best that the package ships, a second per move)',
    )
    .option('--seed <n>', 'seed of agents that play at random', wholeNumber(MAX_SEED), 1)
    .option('--json', 'answer analysis queries, each a line of JSON')
    .addOption(gameOption)
    .addOption(rulesOption)
    .addHelpText('after', '\nThe engine ends after quit, or at the end of stdin.')
    .action(async ({ json, agent, seed, game, rules }) => {
      const settings = { game, rules, agent, multiPv: 1, seed };
      await (json === true ? answerQueries : followCommands)(output, input(), settings);
    });
}
