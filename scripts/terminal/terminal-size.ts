const USUAL_COLUMNS = 80;
const USUAL_ROWS = 24;

function positive(size: number | undefined, usual: number): number {
  return size !== undefined && size > 0 ? size : usual;
}

/** The size of a stream's terminal; the usual one if the stream reports 0, as one that was opened without a size does. */
export function sizeOfTerminal({ columns, rows }: { readonly columns?: number; readonly rows?: number }): {
  readonly columns: number;
  readonly rows: number;
} {
  return { columns: positive(columns, USUAL_COLUMNS), rows: positive(rows, USUAL_ROWS) };
}
