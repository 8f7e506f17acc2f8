import { type Command, Option } from '@commander-js/extra-typings';
import { rescoreDataset } from '../../../training/learning/targets/rescoring.js';
import { makeDataset, withDatasetFlags } from '../../options/dataset-options.js';
import { shareOfOne } from '../../options/numbers.js';
import type { Output } from '../../output.js';
import { UsageError } from '../../usage/usage-error.js';

/** `gess data rescore`: rows with recomputed values. */
export function defineDataRescore(command: Command, output: Output): void {
  withDatasetFlags(command)
    .option(
      '--agent <text>',
      'agent whose values replace the root values, such as alphabeta:depth=3 or policy:model=FILE',
    )
    .option('--agent-moves', 'with --agent: its moves become the policies')
    .option(
      '--lambda <share>',
      'mix each root value with later ones and the result (TD(lambda)), 0 to 1',
      shareOfOne,
    )
    .addOption(new Option('--truncated <result>', 'result of games at the ply limit').choices(['draw']))
    .action(async (sources, options) => {
      const { seed, agent = null, agentMoves = false, lambda = null, truncated } = options;
      if (agent === null && lambda === null && truncated === undefined) {
        throw new UsageError(
          command,
          'option-missing',
          'expected at least one of --agent, --lambda and --truncated',
        );
      }
      if (agentMoves && agent === null) {
        throw new UsageError(command, 'option-missing', 'expected --agent with --agent-moves');
      }
      const rescoring = { agent, agentMoves, lambda, seed, drawsTruncated: truncated === 'draw' };
      await makeDataset(command, output, options, (request) =>
        rescoreDataset({ ...request, sources }, rescoring),
      );
    });
}
