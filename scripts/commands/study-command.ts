import type { Command } from '@commander-js/extra-typings';
import { studyGess } from '../inspection/gess-study/gess-study.js';
import { describeStudy } from '../inspection/gess-study/study-text.js';
import type { Output } from '../output.js';
import { createProgress } from '../progress/progress.js';

/** `gess study`: facts about played games of Gess, for players. */
export function defineStudy(command: Command, output: Output): void {
  command
    .argument('<data...>', 'shards of games of Gess, or their folders')
    .option('--rules <text>', 'rules of those games', 'eureka')
    .option('--json', 'print one JSON object')
    .action(async (data, { rules, json }) => {
      const progress = createProgress(output, 'shards');
      progress.start('gess study: reading');
      try {
        const study = await studyGess(data, rules, progress.update.bind(progress));
        progress.stop();
        output.result(json === true ? JSON.stringify(study) : describeStudy(study));
      } finally {
        progress.stop();
      }
    });
}
