import js from '@eslint/js';
import { defineConfig, globalIgnores } from 'eslint/config';
import svelte from 'eslint-plugin-svelte';
import tseslint from 'typescript-eslint';

/** The layers above each layer, which it may not import (docs/explanation/architecture.md, "Layers"). */
const FORBIDDEN_LAYERS = {
  env: ['data', 'agents', 'session', 'training', 'scripts', 'web', 'test'],
  data: ['agents', 'session', 'training', 'scripts', 'web', 'test'],
  agents: ['data', 'session', 'training', 'scripts', 'web', 'test'],
  session: ['training', 'scripts', 'web', 'test'],
  training: ['session', 'scripts', 'web', 'test'],
  scripts: ['web', 'test'],
  web: ['scripts', 'test'],
};

const tensorflow = {
  group: ['@tensorflow/*'],
  message: 'Only training/ and web/rooms/laboratory/browser-tensorflow.ts load TensorFlow.',
};
const onnxRuntime = {
  group: ['onnxruntime-*'],
  message: 'Only training/inference/ and web/engine/web-session.ts load ONNX Runtime.',
};

function layerRules(layer, forbidden, files, packages) {
  return {
    files,
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              group: forbidden.map((name) => `**/../${name}/**`),
              message: `${layer}/ may not import a layer above it.`,
            },
            ...packages,
          ],
        },
      ],
    },
  };
}

export default defineConfig(
  globalIgnores([
    'dist/',
    'web/dist/',
    'runs/',
    'coverage/',
    '.venv/',
    'docs/api/',
    'site/.vitepress/cache/',
    'site/dist/',
    'site/pages/',
  ]),
  js.configs.recommended,
  {
    files: ['**/*.ts', '**/*.svelte'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: {
      parserOptions: {
        projectService: true,
        tsconfigRootDir: import.meta.dirname,
        extraFileExtensions: ['.svelte'],
      },
    },
    rules: {
      eqeqeq: 'error',
      complexity: ['error', 15],
      'max-lines': ['error', { max: 300 }],
      'max-lines-per-function': ['error', { max: 50, skipBlankLines: true, skipComments: true }],
      'max-params': ['error', 4],
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/require-array-sort-compare': ['error', { ignoreStringArrays: true }],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/explicit-module-boundary-types': 'error',
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
    },
  },
  ...svelte.configs.recommended,
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: { parserOptions: { parser: tseslint.parser } },
    rules: {
      // Svelte's compiler reports these, and also knows the templates.
      'no-undef': 'off',
      // Reading a state subscribes an effect to it.
      '@typescript-eslint/no-unused-expressions': 'off',
      'prefer-const': 'off',
      // svelte-check checks the types of components.
      '@typescript-eslint/no-unnecessary-condition': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      // Maps and sets of this project are read-only.
      'svelte/prefer-svelte-reactivity': 'off',
    },
  },
  {
    files: ['env/**/*.ts', 'agents/**/*.ts', 'data/**/*.ts', 'session/**/*.ts', 'training/**/*.ts'],
    rules: {
      'no-restricted-properties': [
        'error',
        { object: 'Math', property: 'random', message: 'Take an Rng (env/random.ts).' },
        { object: 'Date', property: 'now', message: 'Take the time from the caller.' },
      ],
    },
  },
  {
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: "ImportDeclaration[source.value='zod'] ImportSpecifier",
          message: "Write `import * as z from 'zod'`: esbuild keeps all of zod's locales otherwise.",
        },
      ],
    },
  },
  ...Object.entries(FORBIDDEN_LAYERS).map(([layer, forbidden]) =>
    layerRules(
      layer,
      forbidden,
      [`${layer}/**/*.ts`, `${layer}/**/*.svelte`],
      layer === 'training' ? [onnxRuntime] : [tensorflow, onnxRuntime],
    ),
  ),
  {
    files: ['examples/**/*.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            onnxRuntime,
            { group: ['../**'], message: "Import gess-zero/… as the package's users do." },
          ],
        },
      ],
    },
  },
  { files: ['examples/choose-move.ts'], rules: { 'no-restricted-imports': 'off' } },
  layerRules('training', FORBIDDEN_LAYERS.training, ['training/inference/{onnx,wasm}-session.ts'], []),
  layerRules('web', FORBIDDEN_LAYERS.web, ['web/engine/web-session.ts'], []),
  layerRules('web', FORBIDDEN_LAYERS.web, ['web/rooms/laboratory/browser-tensorflow.ts'], [onnxRuntime]),
  {
    files: ['test/**/*.ts'],
    rules: {
      'max-lines-per-function': 'off',
      'max-lines': ['error', { max: 420 }],
      'no-restricted-imports': ['error', { patterns: [onnxRuntime] }],
    },
  },
  // These tests run models with ONNX Runtime directly.
  { files: ['test/training/export/page/optimized-model.test.ts'], rules: { 'no-restricted-imports': 'off' } },
  { files: ['test/models/parity/runtimes.ts'], rules: { 'no-restricted-imports': 'off' } },
  {
    files: ['**/*.mjs', '**/*.js'],
    languageOptions: { globals: { process: 'readonly', console: 'readonly', URL: 'readonly' } },
  },
);
