import { join } from 'node:path';
import type { Plugin } from 'vite';
import { readRecordFile } from '../../data/records/record-file.js';

const NAME = 'virtual:published-game';
const RECORD = join(import.meta.dirname, '..', '..', 'examples', 'records', 'eureka-53.sgf');

/** Provides the published game as a module, so that the page shows it without a reader of SGF. */
export function publishedGame(): Plugin {
  return {
    name: 'gess-published-game',
    resolveId: (id) => (id === NAME ? `\0${NAME}` : undefined),
    async load(id) {
      if (id !== `\0${NAME}`) return undefined;
      return `export default ${JSON.stringify(await readRecordFile(RECORD, 'sgf'))};`;
    },
  };
}
