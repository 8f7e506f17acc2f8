// The API reference of the public modules: the `exports` of package.json.
import { readFileSync } from 'node:fs';

const root = new URL('.', import.meta.url);
const { exports } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));

/** Source file of an exported module. */
const sourceOf = ({ types }) => types.replace(/^\.\/dist\//, '').replace(/\.d\.ts$/, '.ts');

const targets = Object.values(exports).filter(({ types }) => types !== undefined);

/** @type {Partial<import('typedoc').TypeDocOptions>} */
const config = {
  name: 'gess-zero',
  entryPoints: targets.map(sourceOf),
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
