/** Milliseconds of a second: clocks count milliseconds, texts seconds. */
export const MS_PER_SECOND = 1000;
const SECONDS_TEXT = /^(0|[1-9]\d{0,4})(\.\d{0,2}[1-9])?$/;

/** Formats milliseconds as seconds with up to three decimals: `179.25`. */
export function formatSeconds(ms: number): string {
  return String(ms / MS_PER_SECOND);
}

/** Inverse of `formatSeconds`, in milliseconds; undefined for any other text. */
export function parseSeconds(text: string): number | undefined {
  return SECONDS_TEXT.test(text) ? Math.round(Number(text) * MS_PER_SECOND) : undefined;
}
