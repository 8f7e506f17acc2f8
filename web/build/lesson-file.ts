import { join } from 'node:path';
import type { Plugin } from 'vite';
import { readInput } from '../../data/files/input-file.js';
import { LESSONS } from '../rooms/learn/lesson-texts.js';
import type { Lesson } from '../rooms/learn/lesson-list.js';

const NAME = 'virtual:lessons';
const RULES = join(import.meta.dirname, '..', '..', 'docs', 'reference', 'rules.md');

/** A diagram of docs/reference/rules.md. */
export interface RulesDiagram {
  /** Number of the rule that the diagram illustrates: `2.3`. */
  readonly rule: string;
  /** Text of its position. */
  readonly position: string;
  /** Moves that lead to its second picture; empty if it has one. */
  readonly play: string;
}

/** The diagrams of the text of the rules, in its order. */
function diagramsOf(text: string): readonly RulesDiagram[] {
  const parts = text.matchAll(/^(\d\.\d+) |^```gess\n([^]*?)^```/gm);
  const diagrams: RulesDiagram[] = [];
  let rule = '';
  for (const [, number, diagram] of parts) {
    if (number !== undefined) rule = number;
    const [, position] = /^position (.*)$/m.exec(diagram ?? '') ?? [];
    const [, play = ''] = /^play (.*)$/m.exec(diagram ?? '') ?? [];
    if (position !== undefined) diagrams.push({ rule, position, play });
  }
  return diagrams;
}

/** The lessons, with the positions of their diagrams. */
async function readLessons(): Promise<readonly Lesson[]> {
  const diagrams = diagramsOf(Buffer.from(await readInput(RULES, 'page')).toString());
  return LESSONS.map(({ rule, diagram, ...texts }) => {
    const { position } = diagrams.filter((each) => each.rule === rule)[diagram]!;
    return { ...texts, position };
  });
}

/** Adds the lessons to the build as a file of data, and provides its address as a module. */
export function lessonFile(): Plugin {
  return {
    name: 'gess-lessons',
    resolveId: (id) => (id === NAME ? `\0${NAME}` : undefined),
    async load(id) {
      if (id !== `\0${NAME}`) return undefined;
      const source = JSON.stringify(await readLessons());
      const file = this.emitFile({ type: 'asset', name: 'lessons.json', source });
      return `export default import.meta.ROLLUP_FILE_URL_${file};`;
    },
  };
}
