import * as z from 'zod';
import { SHA256_DIGITS } from '../../data/files/content-digest.js';
import { NetworkConfig } from '../network/network-config.js';
import { withoutRetiredHeads } from '../network/retired-heads.js';
import { EXPORT_FILES, LISTED_FILES } from './export-files.js';
import { SPEC_VERSION, StoredPlayOptions } from './spec-file.js';

/** The key by which `spec.json` names its schema, for editors. */
export const SCHEMA_KEY = { $schema: `./${EXPORT_FILES.specSchema}` } as const;

const sha256 = z.string().regex(SHA256_DIGITS, 'expected a SHA-256');
const count = z.int().min(0);
const difference = z.number().min(0);
/** Lengths of axes; those that the caller chooses have names: `batch`, `legalActions`. */
const shape = z.array(z.union([z.int().min(1), z.string()])).max(8);

const Observation = z
  .strictObject({
    type: z.literal('float32'),
    shape,
    range: z.tuple([z.number(), z.number()]),
    orientation: z.string().meta({ description: 'orientation of the board in the planes' }),
    planes: z
      .array(z.strictObject({ index: count, meaning: z.string() }))
      .meta({ description: 'the last axis' }),
  })
  .meta({ description: 'the position' });

const Actions = z
  .strictObject({
    count: z.int().min(1),
    numbering: z.string().meta({ description: 'policy index of an action' }),
    view: z.string().meta({ description: 'the player from whose view actions are numbered' }),
  })
  .meta({ description: 'what policy indices stand for' });

const Legal = z
  .strictObject({ type: z.literal('int32'), shape, meaning: z.string() })
  .meta({ description: 'the legal actions, an input of the form legal' });

const Output = z.strictObject({ name: z.string(), shape, meaning: z.string() });

const ModelFile = z.strictObject({
  file: z.enum(LISTED_FILES),
  format: z.enum(['ONNX', 'TensorFlow.js graph model']),
  form: z
    .enum(['policy', 'legal'])
    .meta({ description: 'policy: logits of all actions; legal: of the legal actions only' }),
  precision: z.enum(['float32', 'int8']),
  inputs: z.array(z.string()),
  outputs: z.array(z.string()).meta({ description: 'names, in the order of TensorFlow.js' }),
});

const ParityResult = z
  .strictObject({
    positions: count,
    tensorflowJs: difference,
    onnxPolicy: difference,
    onnxLegal: difference,
    int8: z
      .strictObject({
        policyDivergence: difference.meta({ description: 'mean Kullback-Leibler divergence, in nats' }),
        valueError: difference.meta({ description: 'mean difference of values in [-1, 1]' }),
        sameMoves: z
          .number()
          .min(0)
          .max(1)
          .meta({ description: 'share of positions with the same best move' }),
      })
      .meta({ description: 'deviation of the int8 model from float32' }),
  })
  .meta({ description: 'greatest differences of a logit from the trainer, measured by the export' });

const Files = z
  .strictObject(
    Object.fromEntries(LISTED_FILES.map((name) => [name, sha256])) as Record<
      (typeof LISTED_FILES)[number],
      typeof sha256
    >,
  )
  .meta({ description: 'SHA-256 of every other file' });

/** The content of `spec.json`, without its own checksum. */
export const ModelSpec = z.strictObject({
  $schema: z.literal(SCHEMA_KEY.$schema),
  specVersion: z.literal(SPEC_VERSION),
  game: z.string(),
  rules: z.string().meta({ description: 'text of the rules that it was trained on' }),
  rulesVersion: z.int(),
  encodingVersion: z.int().meta({ description: 'changes with the planes and the numbering of actions' }),
  players: z.tuple([z.string(), z.string()]).meta({ description: 'the first one moves first' }),
  plyLimit: z.int().min(1).meta({ description: 'a game of this many plies ends without a result' }),
  generation: count.meta({ description: 'number of the network in its run' }),
  network: z.preprocess(
    withoutRetiredHeads,
    NetworkConfig.extend({
      parameters: count,
      multiplyAccumulates: count.meta({ description: 'for one position' }),
    }),
  ),
  play: StoredPlayOptions.meta({ description: 'search settings with which the model plays best' }),
  license: z.string().nullable().meta({ description: 'null: not stated' }),
  trainedBy: z.string().meta({ description: 'version of gess-zero' }),
  exportedBy: z.string().meta({ description: 'version of gess-zero' }),
  view: z.string(),
  observation: Observation,
  legal: Legal,
  actions: Actions,
  outputs: z.array(Output),
  models: z.array(ModelFile),
  tolerance: z
    .strictObject({ float32: difference, int8: difference })
    .meta({ description: 'greatest difference of a logit from the test vectors' }),
  parity: ParityResult,
  files: Files,
});
/** See the schema. */
export type ModelSpec = z.infer<typeof ModelSpec>;

/** The JSON Schema (draft 2020-12) of `spec.json`. */
export function specJsonSchema(): object {
  const sealed = ModelSpec.extend({
    sha256: sha256.meta({ description: 'SHA-256 of this file without this key' }),
  });
  const { $schema, ...schema } = z.toJSONSchema(sealed, { io: 'output', target: 'draft-2020-12' });
  return { $schema, title: 'A model exported by gess export', ...schema };
}
