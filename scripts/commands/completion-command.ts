import { Argument, type Command } from '@commander-js/extra-typings';
import { defineAll } from '../usage/lazy-commands.js';
import type { Output } from '../output.js';
import { completedCommands } from '../usage/completed-commands.js';
import { COMPLETION_SCRIPTS, SHELLS } from '../usage/completion-scripts.js';

/** `gess completion`: a script for a shell, made from the definitions of all commands. */
export function defineCompletion(command: Command, output: Output): void {
  command
    .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS))
    .addHelpText(
      'after',
      '\nPermanently: gess completion bash > ~/.local/share/bash-completion/completions/gess; for zsh, a file _gess in a folder ' +
        'of $fpath; for fish, ~/.config/fish/completions/gess.fish. In this shell only: source <(gess completion bash).',
    )
    .action(async (shell) => {
      const program = command.parent!;
      await defineAll(program);
      output.result(COMPLETION_SCRIPTS[shell](completedCommands(program)));
    });
}
