import type { AuxiliaryHead, Head } from './head.js';
import { holdersHead } from './holders-head.js';
import { movesLeftHead } from './moves-left-head.js';
import { outcomeHead } from './outcome-head.js';
import { policyHead } from './policy-head.js';
import { ringsHead } from './rings-head.js';

/** The optional heads, in the order of their parameters and outputs. */
export const AUXILIARY_HEADS = [movesLeftHead, holdersHead, ringsHead] as const;

/** All heads, in the order of their parameters and outputs. */
export const HEADS = [policyHead, outcomeHead, ...AUXILIARY_HEADS] as const;

type AnyHead = (typeof HEADS)[number];
type AnyAuxiliaryHead = (typeof AUXILIARY_HEADS)[number];
type Intersection<Union> = (Union extends unknown ? (part: Union) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never;

export type HeadName = AnyHead['name'];
export type AuxiliaryName = AnyAuxiliaryHead['name'];

/** For each auxiliary head, whether a network has it. */
export type HeadChoice = Readonly<Record<AuxiliaryName, boolean>>;

/** Targets of the head with the name `Name`. */
export type ColumnsOf<Name extends HeadName> = ReturnType<Extract<AnyHead, { name: Name }>['columns']>;

/** Names of the loss weights in the learner's settings: of all heads but the policy, whose loss has weight 1. */
export type LossWeightName = `${Exclude<AnyHead, typeof policyHead>['label']}Weight`;

/** Names of means over samples in metrics: the loss of each head, and its other measures. */
export type MeasureName = `${AnyHead['label']}Loss` | AnyHead['measures'][number];

/** Names of sums over samples: of the measures, and of the weights of the rows in each loss. */
export type SumName = MeasureName | `${AnyHead['label']}Weight`;

/** The fields of the network's settings that enable heads, by the heads' names. */
export const HEAD_SETTINGS = Object.fromEntries(
  AUXILIARY_HEADS.map(({ name, setting }) => [name, setting]),
) as Readonly<Record<AuxiliaryName, AnyAuxiliaryHead['setting']>>;

/** The fields of the learner's settings that belong to heads. */
export const HEAD_LEARNER_SETTINGS = Object.assign(
  {},
  ...HEADS.map(({ learnerSettings }) => learnerSettings),
) as Intersection<AnyHead['learnerSettings']>;

/** A head of the table, for generic code. */
export type NamedHead = Head & { readonly name: HeadName };

/** The enabled auxiliary heads, in their order. */
export function auxiliaryHeadsOf(
  choice: HeadChoice,
): readonly (AuxiliaryHead & { readonly name: AuxiliaryName })[] {
  return AUXILIARY_HEADS.filter(({ name }) => choice[name]);
}

/** The heads of a network with these auxiliary ones, in their order. */
export function headsOf(choice: HeadChoice): readonly NamedHead[] {
  return [policyHead, outcomeHead, ...auxiliaryHeadsOf(choice)];
}

/** Names of the measures of a head, its loss first. */
export function measureNames(head: NamedHead): readonly MeasureName[] {
  return [`${head.label}Loss`, ...head.measures] as MeasureName[];
}

/** Name of the sum of the weights of the rows in a head's loss. */
export function weightName(head: NamedHead): SumName {
  return `${head.label}Weight` as SumName;
}
