import { type Command, Option } from '@commander-js/extra-typings';
import { runConfigSchema } from '../../../training/config/config-schema.js';
import { configOrDefaults, presetHelp, presetOption, setOption } from '../../options/config-options.js';
import { configGameOption } from '../../options/game-options.js';
import type { Output } from '../../output.js';
import { addExamples } from '../../usage/command-examples.js';
import { throwUsageErrors } from '../../usage/parse-errors.js';

/** `gess config`: configurations of runs. */
export function defineConfig(command: Command, output: Output): void {
  const show = command.command('show');
  const schema = command.command('schema');
  for (const part of [show, schema]) {
    throwUsageErrors(part);
    addExamples(part);
  }
  show
    .description('print a configuration with all defaults filled in')
    .addHelpText('after', presetHelp())
    .addOption(
      new Option('--config <file>', 'the configuration (JSON; default: all defaults)').conflicts('preset'),
    )
    .addOption(presetOption)
    .addOption(configGameOption)
    .addOption(setOption)
    .action(async (options) => {
      output.result(JSON.stringify(await configOrDefaults(options), undefined, 2));
    });
  schema
    .description('print the JSON Schema of configurations, for editors: configs/run.schema.json')
    .action(() => {
      output.result(JSON.stringify(runConfigSchema(), undefined, 2));
    });
}
