import { type Command, InvalidArgumentError } from '@commander-js/extra-typings';
import { PlayOptions } from '../../../agents/play-options.js';
import { readInput } from '../../../data/files/input-file.js';
import { expectPlaceForOutput } from '../../../data/files/output-folder.js';
import { validate } from '../../../env/problems-text.js';
import { createRng } from '../../../env/random.js';
import { LearnerConfig } from '../../../training/config/groups/learner-config.js';
import { proveExport } from '../../../training/export/export-proof.js';
import { notesIn } from '../../../training/export/model-card.js';
import { exportModel } from '../../../training/export/model-export.js';
import { shippedModel } from '../../../training/export/shipped-models.js';
import type { LoadedTensorflow } from '../../../training/tensorflow/backend.js';
import { readExportSource } from '../../report/export-source.js';
import { describeExport, describeProof } from '../../report/export-text.js';
import type { OptionsOf } from '../../usage/lazy-commands.js';
import { backendOption } from '../../options/backend-option.js';
import { seedNumber } from '../../options/numbers.js';
import { loadForLearner } from '../../training/learner-tensorflow.js';
import { expectOwnGame, gameModuleOption } from '../../options/game-options.js';
import type { Output } from '../../output.js';
import { UsageError } from '../../usage/usage-error.js';
import { parseOptions } from '../../../agents/text/option-list.js';
import { AgentError } from '../../../agents/agent-error.js';

/** Parses `--play`: `name=value,…`, as the options of an agent. */
function playOptions(text: string): PlayOptions {
  const names = Object.keys(PlayOptions.shape).join(', ');
  const refuse = (problems: string): InvalidArgumentError =>
    new InvalidArgumentError(`Expected options of ${names}, each once: ${problems}.`);
  let given: ReadonlyMap<string, unknown>;
  try {
    given = parseOptions(text, text);
  } catch (error) {
    if (error instanceof AgentError) throw refuse(error.message);
    throw error;
  }
  return validate(PlayOptions, Object.fromEntries(given), refuse);
}

const declareFlags = (command: Command) =>
  command
    .option(
      '--checkpoint <folder>',
      'the checkpoint with the network, or an earlier export of it, such as gess',
    )
    .option('--out <folder>', 'folder to write to; must not exist')
    .option(
      '--verify <folder>',
      'verify an export instead, such as gess: checksums, test vectors, the outputs of each model',
    )
    .option('--seed <n>', 'seed of the positions on which the files are compared (default: 1)', seedNumber)
    .option(
      '--play <options>',
      'options with which the network plays best, such as exploration=0.8,symmetries=2; its agents use them by default ' +
        '(default: those of matches in its run, or of the earlier export)',
      playOptions,
    )
    .option(
      '--license <text>',
      'licence of the model, such as CC-BY-4.0 (default: that of the earlier export, or none)',
    )
    .option(
      '--notes <file>',
      'Markdown for the model card: training, data and strength; of a model card, only its notes are used (default: from the ' +
        'records of its run, or the earlier export)',
    )
    .addOption(backendOption)
    .addOption(gameModuleOption)
    .option('--json', 'print one JSON object');

type ExportCommandOptions = OptionsOf<typeof declareFlags>;

/** Options that an export takes and a verification does not. */
const EXPORT_OPTIONS = ['checkpoint', 'out', 'seed', 'play', 'license', 'notes'] as const;

/** @throws UsageError unless the options are those of an export or of a verification. */
function checkOptions(command: Command, options: ExportCommandOptions): void {
  const { verify, checkpoint, out } = options;
  if (verify === undefined) {
    if (checkpoint !== undefined && out !== undefined) return;
    throw new UsageError(command, 'option-missing', 'expected --checkpoint and --out, or --verify');
  }
  const given = EXPORT_OPTIONS.find((name) => options[name] !== undefined);
  if (given === undefined) return;
  throw new UsageError(command, 'option-conflict', `expected --verify without --${given}`);
}

async function writeExport(
  command: Command,
  output: Output,
  load: () => Promise<LoadedTensorflow>,
  { checkpoint: source, out, seed = 1, play, license, notes, json }: ExportCommandOptions,
): Promise<void> {
  await expectPlaceForOutput(out!, 'exported model');
  const found = await readExportSource(shippedModel(source!) ?? source!);
  expectOwnGame(command, found.checkpoint.game.id, source!);
  const words = notes === undefined ? found.notes : notesIn(notes, await readInput(notes, 'page'));
  const { tf } = await load();
  output.message(`gess export: writing ${out!} and comparing its files on some positions`);
  const result = await exportModel(tf, found.checkpoint, out!, {
    rng: createRng(seed, 'export'),
    play: play ?? found.play,
    license: license ?? found.license,
    notes: words,
    int8: found.int8,
  });
  output.result(json === true ? JSON.stringify(result) : describeExport(result));
}

/** `gess export`: the network of a checkpoint as files for other programs. */
export function defineExport(command: Command, output: Output): void {
  declareFlags(command).action(async (options) => {
    checkOptions(command, options);
    const { backend, verify, json } = options;
    const load = async (): Promise<LoadedTensorflow> =>
      loadForLearner(output, { learner: LearnerConfig.parse({}), backend });
    if (verify === undefined) {
      await writeExport(command, output, load, options);
      return;
    }
    const proof = await proveExport((await load()).tf, shippedModel(verify) ?? verify);
    expectOwnGame(command, proof.game, verify);
    output.result(json === true ? JSON.stringify(proof) : describeProof(proof));
  });
}
