// The API reference: what `exports` of package.json lets users import.
import { readdirSync, readFileSync } from 'node:fs';

const root = new URL('.', import.meta.url);
const { exports } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));

/** Modules that no import reaches: those of paths that are exported as null. */
const hidden = Object.keys(exports).filter((path) => exports[path] === null);

/** The source files of a path of `exports`, which may end in an asterisk. */
function sourcesOf({ types }) {
  const source = types.replace(/^\.\/dist\//, '').replace(/\.d\.ts$/, '.ts');
  if (!source.endsWith('/*.ts')) return [source];
  const folder = source.slice(0, -'*.ts'.length);
  const isHidden = (path) => hidden.some((pattern) => `./${path}`.startsWith(pattern.slice(0, -1)));
  return readdirSync(new URL(folder, root), { recursive: true })
    .map((name) => `${folder}${name}`)
    .filter((path) => /(?<!\.d)\.ts$/.test(path) && !isHidden(path));
}

const targets = Object.values(exports).filter((target) => target?.types !== undefined);

/** @type {Partial<import('typedoc').TypeDocOptions>} */
const config = {
  name: 'gess-zero',
  entryPoints: targets.flatMap(sourcesOf),
  tsconfig: 'tsconfig.build.json',
  out: 'docs/api',
  readme: 'README.md',
  disableSources: true,
  treatWarningsAsErrors: true,
  treatValidationWarningsAsErrors: true,
  // The README links to folders too, which TypeDoc cannot copy.
  validation: { notExported: false, invalidLink: true, invalidPath: false, notDocumented: true },
  requiredToBeDocumented: ['Class', 'Interface', 'TypeAlias', 'Function', 'Variable', 'Enum'],
};
export default config;
