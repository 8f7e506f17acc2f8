import type { Plugin } from 'vite';

/**
 * Functions and classes that games and searches refer to and the page never uses, by the end of their modules' names.
 */
const LEFT_OUT: readonly (readonly [module: RegExp, names: readonly string[]])[] = [
  [/\/env\/gess\/gess-board\.ts$/, ['gessTargets']],
  [/\/env\/gess\/gess-move-generation\.ts$/, ['countLegalMoves']],
  [/\/env\/gess\/diagrams\/gess-svg\.ts$/, ['renderSvgDiagram']],
  [/\/env\/gess\/diagrams\/gess-drawing\.ts$/, ['drawGess']],
  [/\/env\/gess\/diagrams\/gess-diagram\.ts$/, ['createDiagram', 'renderDiagram']],
  [/\/env\/quess\/quess-svg\.ts$/, ['renderSvgPosition']],
  [/\/env\/quess\/quess-drawing\.ts$/, ['drawQuess']],
  [/\/env\/gess\/diagrams\/figure-code\.ts$/, ['describePieces']],
  [/\/env\/quess\/quess-diagram\.ts$/, ['renderPosition', 'nameBarredMoves']],
  [/\/env\/connect-four\/connect-four-svg\.ts$/, ['renderSvg']],
  [/\/env\/connect-four\/connect-four-drawing\.ts$/, ['drawConnectFour']],
  [/\/env\/(gess|quess|connect-four)\/[\w-]+-packing\.ts$/, ['packPosition', 'unpackPosition']],
  [/\/agents\/mcts\/gumbel\/gumbel-root\.ts$/, ['GumbelRoot']],
  [/\/agents\/mcts\/gumbel\/improved-selection\.ts$/, ['ImprovedSelection']],
  [/\/agents\/evaluators\/rollout-evaluator\.ts$/, ['RolloutEvaluator']],
  [/\/agents\/mcts\/root-noise\.ts$/, ['addRootNoise']],
];

/** Texts that only other front-ends show, with their replacements. */
const TEXTS: readonly (readonly [module: RegExp, text: RegExp, replacement: string])[] = [
  [/\/env\/[\w/-]+-definition\.ts$/, /(?<=^const INTRODUCTION = )\[[^\]]*\] as const/gm, '[]'],
  [
    /\/env\/[\w/-]+-planes\.ts$/,
    /(?<=^ {2}\w+:\s+)('(?:[^'\n\\]|\\.)*'|"[^"\n]*")(?=,(?: \/\/.*)?$)/gm,
    "''",
  ],
  [
    /\/env\/connect-four\/connect-four\.ts$/,
    /(?<=^ {2}(?:ownStones|opponentStones|orientation|policy): )('[^'\n]*'|"[^"\n]*")(?=,$)/gm,
    "''",
  ],
  [
    /\/env\/connect-four\/connect-four\.ts$/,
    /(?<=^function render\([^]*?string \{)[^]*?(?=^\})/gm,
    "return '';",
  ],
  // No suggestions of names: the page offers all valid names in its menus.
  [
    /\/env\/text\/nearest-name\.ts$/,
    /(?<=^export function suggestName\([^]*?string \{)[^]*?(?=^\})/gm,
    'return otherwise;',
  ],
  // The page itself gives all bounds, seeds and texts.
  [/\/env\/random\.ts$/, /(?<=^function refuse\(.*\{\n)[^]*?(?=^\})/gm, 'throw new Error(code);'],
  [/\/env\/games\.ts$/, /(?<=^function asText\(.*\{\n)[^]*?(?=^\})/gm, 'return String(value);'],
  // Its agents are its own: their texts are valid.
  [/\/agents\/agent-from-spec\.ts$/, /^ {2}const known = evaluationNames\([^]*?(?=^ {2}return \{)/gm, ''],
  [/\/agents\/agent-from-spec\.ts$/, /(?<=^function mctsOf\(.*\{\n)[^]*?(?=^\})/gm, 'return spec as never;'],
  // Packages are part of the page: none is missing.
  [
    /\/env\/optional-packages\.ts$/,
    /(?<=^export function explainMissing\([^]*?unknown \{)[^]*?(?=^\})/gm,
    'return error;',
  ],
];

/** Vite's module for imports with files to load before: the build names them in the page (`preloadedFiles`). */
const PRELOAD_HELPER = '\0vite/preload-helper.js';

function withoutTexts(code: string, id: string): string {
  return TEXTS.reduce(
    (text, [module, pattern, replacement]) =>
      module.test(id) ? text.replaceAll(pattern, replacement) : text,
    code,
  );
}

/**
 * Replaces functions that the page never calls, a tenth of its code, by functions that throw: boards as texts and
 * pictures of other front-ends, packed positions of data sets, searches of other agents, explanations of encodings.
 */
export function leftOut(): Plugin {
  return {
    name: 'gess-left-out',
    enforce: 'pre',
    apply: 'build',
    load: (id) => (id === PRELOAD_HELPER ? 'export const __vitePreload = (load) => load();' : undefined),
    transform(code, id) {
      const names = LEFT_OUT.find(([module]) => module.test(id))?.[1] ?? [];
      return names.reduce(
        (text, name) => {
          const head = new RegExp(`^export (function|class) ${name}\\b`, 'm');
          if (!head.test(text)) this.error(`expected ${name} in ${id}, to leave it out of the page`);
          const stub = `export function ${name}() { throw new Error('${name} is not part of the page'); }`;
          // The bundler also drops whatever only the original uses.
          return `${text.replace(head, `$1 ${name}OfOthers`)}\n${stub}\n`;
        },
        withoutTexts(code, id),
      );
    },
  };
}
