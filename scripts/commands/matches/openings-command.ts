import type { Command } from '@commander-js/extra-typings';
import { addLazyCommands, type LazyCommand } from '../../usage/lazy-commands.js';
import type { Output } from '../../output.js';

const OPENINGS_COMMANDS: Readonly<Record<string, LazyCommand>> = {
  make: {
    summary: 'make a book: random openings that a search and short games judge to be even',
    load: async () => (await import('./openings-make-command.js')).defineOpeningsMake,
  },
};

/** `gess openings`: books of openings. */
export function defineOpenings(command: Command, output: Output): void {
  addLazyCommands(command, output, OPENINGS_COMMANDS);
}
