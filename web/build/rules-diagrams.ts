import { join } from 'node:path';
import type { Plugin } from 'vite';
import { readInput } from '../../data/files/input-file.js';

const NAME = 'virtual:rules-diagrams';
const RULES = join(import.meta.dirname, '..', '..', 'docs', 'rules.md');

/** A diagram of docs/rules.md. */
export interface RulesDiagram {
  /** Number of the rule that it stands below: `2.3`. */
  readonly rule: string;
  /** Text of its position. */
  readonly position: string;
  /** Moves that lead to its second picture; empty if it has one. */
  readonly play: string;
}

/** The diagrams of the text of the rules, in its order. */
export function diagramsOf(text: string): readonly RulesDiagram[] {
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

/** Offers the diagrams of docs/rules.md as a module. */
export function rulesDiagrams(): Plugin {
  return {
    name: 'gess-rules-diagrams',
    resolveId: (id) => (id === NAME ? `\0${NAME}` : undefined),
    async load(id) {
      if (id !== `\0${NAME}`) return undefined;
      const text = Buffer.from(await readInput(RULES, 'page')).toString();
      return `export default ${JSON.stringify(diagramsOf(text))};`;
    },
  };
}
