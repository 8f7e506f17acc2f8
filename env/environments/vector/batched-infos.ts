import type { Info } from '../environment.js';
import type { VectorInfos } from './vector-environment.js';

type Fields = Readonly<Record<string, unknown>>;

/** Always batched as a list: its values are samples, not fields. */
const FINAL_OBSERVATION = 'finalObservation';

/**
 * Batches the infos of several environments.
 *
 * @param infos null for an environment without infos.
 * @param copy whether arrays are copied.
 */
export function batchInfos(infos: readonly (Info | null)[], copy: boolean): VectorInfos {
  return { ...EMPTY, ...batchFields(infos, copy) };
}

/** Fields that exist even if no environment has infos. */
const EMPTY: VectorInfos = { legalActions: [], ply: new Float64Array(0) };

function batchFields(infos: readonly (Fields | null)[], copy: boolean): Fields {
  const names = new Set<string>();
  for (const info of infos) if (info !== null) for (const name of Object.keys(info)) names.add(name);
  const fields: [string, unknown][] = [];
  for (const name of names) {
    const mask = new Uint8Array(infos.length);
    const values = infos.map((info, index) => {
      if (info === null || !Object.hasOwn(info, name)) return undefined;
      mask[index] = 1;
      return info[name];
    });
    fields.push([name, batchValues(values, { mask, copy, isList: name === FINAL_OBSERVATION })]);
    fields.push([`_${name}`, mask]);
  }
  // Not by assignment, which would set the prototype for the name __proto__.
  return Object.fromEntries(fields);
}

/** The form in which the values of a field are batched. */
interface FieldBatching {
  readonly mask: Uint8Array;
  readonly copy: boolean;
  readonly isList: boolean;
}

function batchValues(values: readonly unknown[], { mask, copy, isList }: FieldBatching): unknown {
  const areAll = (is: (value: unknown) => boolean): boolean =>
    values.every((value, index) => mask[index] === 0 || is(value));
  if (areAll((value) => typeof value === 'number')) return Float64Array.from(values, numberOf);
  if (areAll((value) => typeof value === 'boolean')) return Uint8Array.from(values, numberOf);
  if (!isList && areAll(isPlain)) {
    return batchFields(
      values.map((value) => (value ?? null) as Fields | null),
      copy,
    );
  }
  return values.map((value, index) => {
    if (mask[index] === 0) return null;
    return copy && ArrayBuffer.isView(value) && 'slice' in value ? (value as Uint8Array).slice() : value;
  });
}

function numberOf(value: unknown): number {
  return value === undefined ? 0 : Number(value);
}

function isPlain(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
