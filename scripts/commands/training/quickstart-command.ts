import { join } from 'node:path';
import { type Command, Option } from '@commander-js/extra-typings';
import { exists, removeFolderAtomic } from '../../../data/files/atomic-file.js';
import { CodedError } from '../../../env/errors.js';
import { createGame, DEFAULT_GAME } from '../../../env/games.js';
import { createRng } from '../../../env/random.js';
import { type BackendChoice, loadBackend } from '../../../training/tensorflow/backend.js';
import { TrainingError } from '../../../training/training-error.js';
import { EXPORT_FILES } from '../../../training/export/export-files.js';
import { exportModel } from '../../../training/export/model-export.js';
import { readSpec } from '../../../training/export/spec-file.js';
import { setUpNativeTensorflow } from '../../../training/tensorflow/native/setup.js';
import { readRecords } from '../../../training/run/run-record-file.js';
import { REPORT_FILE } from '../../../training/run/live/report-file.js';
import type { Run } from '../../../training/run/run-folder.js';
import { readExportSource } from '../../report/export-source.js';
import { backendOption } from '../../options/backend-option.js';
import { configOrDefaults, presetHelp, presetOption, setOption } from '../../options/config-options.js';
import { compareGenerations } from '../../progress/generation-table.js';
import type { OptionsOf } from '../../usage/lazy-commands.js';
import { configGameOption } from '../../options/game-options.js';
import { pageFolder } from '../../serve/page-files.js';
import type { Output } from '../../output.js';
import { runTraining } from '../../training/run-training.js';
import { setupProgress } from '../../progress/setup-progress-bar.js';
import { shellWord } from '../../text/shell-word.js';

/** Simulations of a move of the opponent that the last line names. */
const PLAY_SIMULATIONS = 64;

const declareFlags = (command: Command) =>
  command
    .option('--out <folder>', 'folder of the run; an existing run resumes', 'runs/quickstart')
    .addOption(backendOption)
    .option('--json', 'print one JSON object at the end')
    .addHelpText('after', presetHelp())
    .addOption(
      new Option('--config <file>', 'the configuration (JSON; default: preset quickstart)').conflicts(
        'preset',
      ),
    )
    .addOption(presetOption)
    .addOption(configGameOption)
    .addOption(setOption);

type QuickstartOptions = OptionsOf<typeof declareFlags>;

/** Sets up native TensorFlow unless WebAssembly is chosen; with `auto`, a failure only prints a message. */
async function setUp(output: Output, backend: BackendChoice): Promise<void> {
  if (backend === 'wasm') return;
  const progress = setupProgress(output);
  try {
    await setUpNativeTensorflow({ observe: progress.observe });
  } catch (error) {
    if (backend === 'native' || !(error instanceof CodedError)) throw error;
    progress.stop();
    output.message(`gess: native TensorFlow cannot be set up: ${error.message}`);
  } finally {
    progress.stop();
  }
}

/** Exports the last generation, in place of an earlier one, unless its export exists; returns the folder. */
async function exportLast(output: Output, { config, paths }: Run, backend: BackendChoice): Promise<string> {
  const folder = join(paths.folder, 'export');
  const earlier = await readSpec(join(folder, EXPORT_FILES.spec));
  if (earlier?.generation === config.generations) return folder;
  if (earlier !== null) await removeFolderAtomic(folder);
  const source = await readExportSource(paths.checkpoint(config.generations));
  const { tf } = await loadBackend(backend, config.learner);
  const { checkpoint, ...facts } = source;
  const { parity } = await exportModel(tf, checkpoint, folder, {
    rng: createRng(config.seed, 'export'),
    ...facts,
  });
  const { tensorflowJs, onnxPolicy, onnxLegal } = parity;
  const difference = Math.max(tensorflowJs, onnxPolicy, onnxLegal).toExponential(1);
  output.message(
    `gess: exported; trainer, TensorFlow.js and ONNX agree on ${parity.positions} positions within ${difference}`,
  );
  return folder;
}

/** The command that plays a game against the network of an export. */
function playCommand({ config }: Run, folder: string): string {
  const { id, rules, module } = config.game;
  const isDefault = rules === 'default' || rules === createGame(id).rules;
  const words = [
    ...(id === DEFAULT_GAME ? [] : ['--game', module ?? id]),
    ...(isDefault ? [] : ['--rules', rules]),
    ...['--opponent', `mcts:model=${folder},simulations=${PLAY_SIMULATIONS}`],
  ];
  return `npx gess play ${words.map(shellWord).join(' ')}`;
}

/** The command that opens the page on an export, after its build in a checkout that has none. */
async function serveCommand(folder: string): Promise<string> {
  const build = (await exists(join(pageFolder(), 'index.html'))) ? '' : 'npm run build:web && ';
  return `${build}npx gess serve --model ${shellWord(folder)}`;
}

async function runQuickstart(output: Output, options: QuickstartOptions): Promise<void> {
  const { out, json, backend } = options;
  const isJson = json === true;
  const startMs = performance.now();
  const isDefault = options.config === undefined && options.preset === undefined;
  const config = await configOrDefaults(isDefault ? { ...options, preset: 'quickstart' } : options);
  if (config.learner.precision !== 'float32') {
    // The export is compared with the trainer in this process, with more digits than bfloat16 has.
    throw new TrainingError('config-invalid', 'expected learner.precision float32 for the quickstart');
  }
  await setUp(output, backend);
  const { run, finished } = await runTraining(output, {
    folder: out,
    config,
    resume: true,
    backend,
    resumeCommand: 'the same command',
  });
  if (!finished) {
    output.result(isJson ? JSON.stringify({ finished }) : 'stopped; run the same command to resume');
    return;
  }
  const folder = await exportLast(output, run, backend);
  const records = await readRecords(run.paths, 'evaluations');
  if (isJson) {
    const checkpoint = run.paths.checkpoint(run.config.generations);
    output.result(JSON.stringify({ finished, checkpoint, export: folder, evaluations: records }));
    return;
  }
  output.result(compareGenerations(records, run.config.generations));
  output.result(
    [
      '',
      `Network:  ${run.paths.checkpoint(run.config.generations)}`,
      `Export:   ${folder}  (TensorFlow.js, ONNX, spec.json)`,
      `Games:    ${join(run.paths.folder, 'data')}  (Arrow)`,
      `Report:   ${join(run.paths.folder, REPORT_FILE)}  (learning curves, games; open it in a browser)`,
      `Metrics:  ${run.paths.metrics}`,
      `Matches:  ${run.paths.evaluations}`,
      '',
      `Took ${((performance.now() - startMs) / 60_000).toFixed(1)} minutes.`,
      '',
      'Play against it in the terminal, or in the browser:',
      `  ${playCommand(run, folder)}`,
      `  ${await serveCommand(folder)}`,
    ].join('\n'),
  );
}

/** `gess quickstart`, also `npm start`: a small run of the whole program. */
export function defineQuickstart(command: Command, output: Output): void {
  declareFlags(command).action((options) => runQuickstart(output, options));
}
