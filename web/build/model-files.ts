import { join } from 'node:path';
import type { Plugin } from 'vite';
import { GAME_IDS } from '../../env/games.js';
import { readPageModel } from '../../training/export/page/page-model.js';

const MODELS = join(import.meta.dirname, '..', '..', 'models');

/** Adds the shipped models to the build, in `models/`, with their list `models/models.json`. */
export function modelFiles(): Plugin {
  return {
    name: 'gess-models',
    apply: 'build',
    async generateBundle() {
      const files = await Promise.all(GAME_IDS.map((game) => readPageModel(join(MODELS, game))));
      for (const { model, bytes } of files) {
        this.emitFile({ type: 'asset', fileName: `models/${model.file}`, source: bytes });
      }
      const models = files.map(({ model }) => model);
      this.emitFile({
        type: 'asset',
        fileName: 'models/models.json',
        source: `${JSON.stringify({ models }, null, 2)}\n`,
      });
    },
  };
}
