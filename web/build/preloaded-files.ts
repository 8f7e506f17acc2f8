import type { Plugin } from 'vite';

/** The modules that the first script imports, one after the other. */
const IMPORTED = /\/(env\/games|web\/begin)\.ts$/;
const FONT = '.woff2';

/** The part of a built file that is read. */
interface BuiltFile {
  readonly type: string;
  readonly fileName: string;
  readonly imports?: readonly string[];
  readonly facadeModuleId?: string | null;
}

/** The scripts that a script needs, itself included, without those that are loaded later. */
function withImports(bundle: Readonly<Record<string, BuiltFile>>, name: string, found: Set<string>): void {
  if (found.has(name)) return;
  found.add(name);
  for (const other of bundle[name]?.imports ?? []) withImports(bundle, other, found);
}

/** Lets browsers load the first room's scripts and the typeface as soon as they read the page, all at once. */
export function preloadedFiles(): Plugin {
  return {
    name: 'gess-preloaded-files',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle = {}, chunk }) {
        const files: readonly BuiltFile[] = Object.values(bundle);
        const imported = files.filter(({ facadeModuleId }) => IMPORTED.test(facadeModuleId ?? ''));
        const font = files.find(({ fileName }) => fileName.endsWith(FONT));
        if (imported.length < 2 || font === undefined || chunk === undefined)
          throw new Error('expected the beginning of the page and its typeface in the build');
        const scripts = new Set<string>();
        for (const { fileName } of imported) withImports(bundle, fileName, scripts);
        scripts.delete(chunk.fileName);
        return [
          ...Array.from(scripts, (script) => ({ rel: 'modulepreload', href: `./${script}` })),
          { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: '', href: `./${font.fileName}` },
        ].map((attrs) => ({ tag: 'link', attrs, injectTo: 'head' as const }));
      },
    },
  };
}
