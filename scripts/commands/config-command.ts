import { Command } from 'commander';
import { runConfigSchema } from '../../training/config/config-schema.js';
import { addConfigOptions, type ConfigOptions, configOrDefaults } from '../options/config-options.js';
import type { Output } from '../output.js';

function showCommand(output: Output): Command {
  const command = new Command('show').description(
    'print a configuration as it is understood: with all defaults',
  );
  return addConfigOptions(command, 'the configuration; left out, the defaults').action(
    (options: ConfigOptions) => {
      output.result(JSON.stringify(configOrDefaults(options), undefined, 2));
    },
  );
}

function schemaCommand(output: Output): Command {
  return new Command('schema')
    .description('print the JSON Schema of configurations, for editors: configs/run.schema.json')
    .action(() => {
      output.result(JSON.stringify(runConfigSchema(), undefined, 2));
    });
}

/** `gess config`: configurations of runs. */
export function configCommand(output: Output): Command {
  return new Command('config')
    .description('show configurations of runs, and their JSON Schema')
    .addCommand(showCommand(output))
    .addCommand(schemaCommand(output));
}
