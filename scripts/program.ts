import { Command } from 'commander';
import { accuracyCommand } from './commands/accuracy-command.js';
import { analyzeCommand } from './commands/analyze-command.js';
import { benchCommand } from './commands/bench-command.js';
import { configCommand } from './commands/config-command.js';
import { dataCommand } from './commands/data-command.js';
import { doctorCommand } from './commands/doctor-command.js';
import { envServerCommand } from './commands/env-server-command.js';
import { evaluateCommand } from './commands/evaluate-command.js';
import { exportCommand } from './commands/export-command.js';
import { inspectCommand } from './commands/inspect-command.js';
import { learnCommand } from './commands/learn-command.js';
import { perftCommand } from './commands/perft-command.js';
import { quickstartCommand } from './commands/quickstart-command.js';
import { replayCommand } from './commands/replay-command.js';
import { reportCommand } from './commands/report-command.js';
import { selfplayCommand } from './commands/selfplay-command.js';
import { setupCommand } from './commands/setup-command.js';
import { showCommand } from './commands/show-command.js';
import { trainCommand } from './commands/train-command.js';
import { tuneCommand } from './commands/tune-command.js';
import { softwareVersion } from '../training/software-version.js';
import type { Output } from './output.js';

/** The command line, `gess <command>`: one file in `commands/` a command. Tests call it with their output. */
export function createProgram(output: Output): Command {
  const program = new Command('gess')
    .description('Self-play reinforcement learning for Gess and its kin')
    .version(softwareVersion(), '--version', 'show the version')
    .option('--debug', 'show stack traces')
    .configureOutput({
      writeOut: (text) => {
        output.result(text.trimEnd());
      },
      writeErr: (text) => {
        output.message(text.trimEnd());
      },
    })
    .showHelpAfterError('(gess --help lists the commands)');
  program.addCommand(setupCommand(output));
  program.addCommand(doctorCommand(output));
  program.addCommand(perftCommand(output));
  program.addCommand(replayCommand(output));
  program.addCommand(showCommand(output));
  program.addCommand(analyzeCommand(output));
  program.addCommand(quickstartCommand(output));
  program.addCommand(selfplayCommand(output));
  program.addCommand(learnCommand(output));
  program.addCommand(trainCommand(output));
  program.addCommand(configCommand(output));
  program.addCommand(evaluateCommand(output));
  program.addCommand(accuracyCommand(output));
  program.addCommand(exportCommand(output));
  program.addCommand(reportCommand(output));
  program.addCommand(inspectCommand(output));
  program.addCommand(dataCommand(output));
  program.addCommand(envServerCommand(output));
  program.addCommand(tuneCommand(output));
  program.addCommand(benchCommand(output));
  // Commands that were made elsewhere do not inherit the settings above by themselves.
  inheritSettings(program);
  return program;
}

function inheritSettings(parent: Command): void {
  for (const command of parent.commands) {
    command.copyInheritedSettings(parent);
    inheritSettings(command);
  }
}

/** Makes a command and those in it throw `CommanderError` instead of ending the process; returns it. */
export function throwOnExit(command: Command): Command {
  command.exitOverride();
  for (const part of command.commands) throwOnExit(part);
  return command;
}
