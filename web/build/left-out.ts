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
  // Its agents are its own: their texts are valid.
  [/\/agents\/agent-from-spec\.ts$/, /^ {2}const known = evaluationNames\([^]*?(?=^ {2}return \{)/gm, ''],
];

/** Functions of which the page needs less, with their bodies there. */
const BODIES: readonly (readonly [module: RegExp, name: string, body: string])[] = [
  [/\/env\/connect-four\/connect-four\.ts$/, 'render', "return '';"],
  // No suggestions of names: the page offers all valid names in its menus.
  [/\/env\/text\/nearest-name\.ts$/, 'suggestName', 'return otherwise;'],
  // The page itself gives all bounds, seeds and texts.
  [/\/env\/random\.ts$/, 'refuse', 'throw new Error(code);'],
  [/\/env\/games\.ts$/, 'asText', 'return String(value);'],
  [/\/agents\/agent-from-spec\.ts$/, 'mctsOf', 'return spec as never;'],
  // Its records are those of its own trees.
  [/\/data\/records\/sgf-writing\.ts$/, 'expectReadable', 'return;'],
  // Packages are part of the page: none is missing.
  [/\/env\/optional-packages\.ts$/, 'explainMissing', 'return error;'],
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

/** @throws Error for a function that its module lacks. */
function withShortBodies(code: string, id: string): string {
  return BODIES.filter(([module]) => module.test(id)).reduce((text, [, name, body]) => {
    // From the end of the line that opens the function to the line that closes it.
    const whole = new RegExp(`^((?:export )?function ${name}\\b.*\\{\\n)[^]*?(?=^\\})`, 'm');
    if (!whole.test(text)) throw new Error(`expected ${name} in ${id}, to shorten it for the page`);
    return text.replace(whole, `$1${body}\n`);
  }, code);
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
        withShortBodies(withoutTexts(code, id), id),
      );
    },
  };
}
