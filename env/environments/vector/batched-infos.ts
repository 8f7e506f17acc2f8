import type { Info } from '../environment.js';
import type { VectorInfos } from './vector-environment.js';

type Fields = Readonly<Record<string, unknown>>;

/** The field of last observations; always batched as a list, for its values are samples, not fields. */
export const FINAL_OBSERVATION = 'finalObservation';

/** The fields of the infos of several environments. */
export class InfoColumns {
  private readonly count: number;
  private readonly columns = new Map<string, Column>();

  /** @param count number of environments */
  constructor(count: number) {
    this.count = count;
  }

  /** The column of a field, to write to. */
  column(name: string): Column {
    const known = this.columns.get(name);
    if (known !== undefined) return known;
    const { count } = this;
    const column = { values: new Array<unknown>(count).fill(undefined), mask: new Uint8Array(count) };
    this.columns.set(name, column);
    return column;
  }

  /** @param copy whether arrays are copied. */
  batch(copy: boolean): Fields {
    const fields: [string, unknown][] = [];
    for (const [name, { values, mask }] of this.columns) {
      fields.push([name, batchValues(values, { mask, copy, isList: name === FINAL_OBSERVATION })]);
      fields.push([`_${name}`, mask]);
    }
    // Not by assignment, which would set the prototype for the name __proto__.
    return Object.fromEntries(fields);
  }
}

/** A field of several environments. */
interface Column {
  /** `[count]` undefined where the mask is 0. */
  readonly values: unknown[];
  /** `[count]` 1 for environments that have the field. */
  readonly mask: Uint8Array;
}

/**
 * Batches the infos of several environments.
 *
 * @param infos null for an environment without infos.
 * @param copy whether arrays are copied.
 */
export function batchInfos(infos: readonly (Info | null)[], copy: boolean): VectorInfos {
  return batchColumns(columnsOf(infos), copy);
}

/** As `batchInfos`, for infos as columns. */
export function batchColumns(columns: InfoColumns, copy: boolean): VectorInfos {
  return { ...EMPTY, ...columns.batch(copy) };
}

/** Fields that exist even if no environment has infos. */
const EMPTY: VectorInfos = { legalActions: [], ply: new Float64Array(0) };

function columnsOf(infos: readonly (Fields | null)[]): InfoColumns {
  const columns = new InfoColumns(infos.length);
  for (let index = 0; index < infos.length; index++) {
    const info = infos[index];
    if (info === null || info === undefined) continue;
    for (const name of Object.keys(info)) {
      const { values, mask } = columns.column(name);
      values[index] = info[name];
      mask[index] = 1;
    }
  }
  return columns;
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
    return columnsOf(values as readonly (Fields | null)[]).batch(copy);
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
