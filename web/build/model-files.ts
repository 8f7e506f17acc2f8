import { join } from 'node:path';
import type { Plugin } from 'vite';
import { GAME_IDS } from '../../env/games.js';
import { type PageModelFile, pageModelName, readPageModel } from '../../training/export/page-model.js';
import { optimizedModel } from './optimized-model.js';

const MODELS = join(import.meta.dirname, '..', '..', 'models');

async function readOptimized(folder: string): Promise<PageModelFile> {
  const read = await readPageModel(folder);
  const bytes = await optimizedModel(read.bytes);
  return { model: { ...read.model, file: pageModelName(read.model.game, bytes) }, bytes };
}

/** Adds the shipped models to the build, in `models/`, with their list `models/models.json`. */
export function modelFiles(): Plugin {
  return {
    name: 'gess-models',
    apply: 'build',
    async generateBundle() {
      const files = await Promise.all(GAME_IDS.map((game) => readOptimized(join(MODELS, game))));
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
