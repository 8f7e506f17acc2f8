import type { Schema } from 'apache-arrow';

/** A column of an Arrow file: its name, its type as Arrow writes it (`List<Uint16>`), and whether it may be null. */
export interface ColumnType {
  readonly name: string;
  readonly type: string;
  readonly nullable: boolean;
}

/** The columns that an Arrow file says it has. */
export function columnTypesOf(schema: Schema): readonly ColumnType[] {
  return schema.fields.map(({ name, type, nullable }) => ({ name, type: String(type), nullable }));
}
