import * as z from 'zod';
import { precisionOption, symmetriesOption } from '../play-options.js';

/** Meaning of the option `model`. */
export const MODEL_MEANING =
  'the network: the name of a shipped one, an ONNX file, or the folder of a checkpoint or an export';

/** Options of a network in a tree search or a policy. */
export const networkOptions = {
  symmetries: symmetriesOption.optional().meta({
    description: 'number of board symmetries over which the network is averaged',
  }),
  precision: precisionOption.optional().meta({
    description:
      'arithmetic of the network, if its folder has a model for each; default: as its spec.json says, or int8 within timeMs, or float32',
  }),
};

/** Options of what evaluates the leaves of a tree search. */
export const evaluatorOptions = {
  model: z
    .string()
    .min(1)
    .optional()
    .meta({ description: `${MODEL_MEANING}; none: equal priors and even values` }),
  ...networkOptions,
  rollouts: z.int().min(1).max(10_000).optional().meta({
    description: 'random games that evaluate a position, in place of a network',
  }),
  network: z.string().min(1).optional().meta({
    description:
      'folder of a pattern network, or gess for the shipped one: alpha-beta with it judges the positions, too',
  }),
};

type EvaluatorOptions = Readonly<z.infer<z.ZodObject<typeof evaluatorOptions>>>;

/** Whether at most one evaluator is named. */
export function hasOneEvaluator({ model, rollouts }: EvaluatorOptions): boolean {
  return model === undefined || rollouts === undefined;
}

/** A check that an option of a network comes with a model. */
export function hasModelFor(
  name: keyof typeof networkOptions | 'network',
): (options: EvaluatorOptions) => boolean {
  return ({ model, ...options }) => options[name] === undefined || model !== undefined;
}
