import { DataError } from '../../data/data-error.js';
import { textOfFile } from '../../data/files/input-file.js';
import { formatPercent } from '../../env/text/percent.js';
import type { PlayOptions } from '../../agents/play-options.js';
import { markdownTable } from '../../env/text/markdown-table.js';
import { quote } from '../../env/text/quoted-text.js';
import { type Checkpoint, networkForPlay } from '../checkpoints/checkpoint.js';
import { describeSize } from '../network/parameter-specs.js';
import { softwareVersion } from '../software-version.js';
import { EXPORT_FILES } from './export-files.js';
import type { Parity } from './model-parity.js';

/** Marks the start of the author's notes in a model card. */
const NOTES_MARK = '<!-- notes -->';

/** Facts of a model card that its checkpoint does not contain. */
export interface CardFacts {
  /** The agent's options of `spec.json`. */
  readonly play: PlayOptions;
  readonly license: string | null;
  readonly parity: Parity;
  /** Markdown on the training, the data and the strength. */
  readonly notes: string;
}

/** Control characters except tabs and line ends: a terminal that shows the card would obey them. */
// eslint-disable-next-line no-control-regex -- it finds them
const CONTROL = /[\0-\x08\v\f\x0e-\x1f\x7f-\x9f]|\r(?!\n)/;

/**
 * The author's notes in a file: the part after the mark in a model card, else all of the text.
 *
 * @param path for messages.
 * @throws DataError `file-encoding` for bytes that are not UTF-8, and for control characters except tabs and line ends.
 */
export function notesIn(path: string, bytes: Uint8Array): string {
  const text = textOfFile(path, bytes);
  const control = CONTROL.exec(text);
  if (control !== null) {
    const line = text.slice(0, control.index).split('\n').length;
    const found = `found ${quote(control[0])} on line ${line} of ${path}`;
    throw new DataError('file-encoding', `expected a text without control characters, ${found}`);
  }
  const at = text.indexOf(NOTES_MARK);
  return at < 0 ? text : text.slice(at + NOTES_MARK.length);
}

function describeFacts(checkpoint: Checkpoint, { play, license }: CardFacts): string {
  const { game, generation } = checkpoint;
  const options = Object.entries(play).map(([name, value]) => `\`${name}=${value}\``);
  return markdownTable(
    ['model', ''],
    [
      ['game', `${game.id}, rules \`${game.rules}\``],
      ['network', describeSize(networkForPlay(checkpoint).shape)],
      ['generation', `${generation} of its run`],
      ['plays best with', options.length === 0 ? 'the default options' : options.join(', ')],
      ['trained by', `gess-zero ${checkpoint.softwareVersion}`],
      ['exported by', `gess-zero ${softwareVersion()}`],
      ['licence', license ?? 'not stated: ask the author'],
    ],
  );
}

function describeFiles(): string {
  const names = EXPORT_FILES;
  return markdownTable(
    ['file', 'content'],
    [
      [names.graph, 'TensorFlow.js graph model, for `tf.loadGraphModel`: all outputs'],
      [names.weights, 'its weights'],
      [names.policy, 'ONNX: all outputs, with the logits of all actions'],
      [names.legal, 'ONNX: the logits of the legal actions, which are an input; the faster one'],
      [
        names.int8,
        'the same with a trunk in int8, 1.4 to 2.4 times as fast in onnxruntime-node, depending on the processor',
      ],
      [names.spec, 'inputs and outputs in words and numbers, search settings, checksums'],
      [names.specSchema, `JSON Schema of ${names.spec}`],
      [names.vectors, 'positions with the outputs that a front-end should get'],
    ].map(([name, content]) => [`[${name!}](${name!})`, content!]),
  );
}

function describeParity({ positions, tensorflowJs, onnxPolicy, onnxLegal, int8 }: Parity): string {
  const greatest = Math.max(tensorflowJs, onnxPolicy, onnxLegal).toExponential(0);
  return [
    `On ${positions} positions of random play, TensorFlow.js and ONNX differ from the trainer by at most ${greatest} in a logit.`,
    `The int8 model prefers the same move in ${formatPercent(int8.sameMoves, 0)} of them;`,
    `its values differ by ${int8.valueError.toFixed(3)} on average, its policies by ${int8.policyDivergence.toFixed(4)} nats.`,
  ].join('\n');
}

/** The model card of an export, Markdown; the author's notes end it. */
export function modelCard(checkpoint: Checkpoint, facts: CardFacts): string {
  const { id } = checkpoint.game;
  return `# A network for ${id}

${describeFacts(checkpoint, facts)}

${describeFiles()}

In this folder:

\`\`\`
npx gess analyze --game ${id} --agent mcts:model=.,simulations=400
npx gess export --verify .
\`\`\`

${describeParity(facts.parity)}

${NOTES_MARK}

${facts.notes.trim()}
`;
}
