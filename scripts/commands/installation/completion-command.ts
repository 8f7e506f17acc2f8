import { Argument, type Command } from '@commander-js/extra-typings';
import { defineAll } from '../../usage/lazy-commands.js';
import type { Output } from '../../output.js';
import { completedCommands } from '../../usage/completed-commands.js';
import { COMPLETION_SCRIPTS, SHELLS } from '../../usage/completion-scripts.js';

/** `gess completion`: a script for a shell, made from the definitions of all commands. */
export function defineCompletion(command: Command, output: Output): void {
  command
    .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS))
    .addHelpText(
      'after',
      [
        '',
        'Write the script to a file, once:',
        '  gess completion bash > ~/.local/share/bash-completion/completions/gess',
        '  gess completion zsh > FOLDER/_gess (FOLDER: one of $fpath)',
        '  gess completion fish > ~/.config/fish/completions/gess.fish',
        'Or use it in this shell only:',
        '  source <(gess completion bash)',
      ].join('\n'),
    )
    .action(async (shell) => {
      const program = command.parent!;
      await defineAll(program);
      output.result(COMPLETION_SCRIPTS[shell](completedCommands(program)));
    });
}
