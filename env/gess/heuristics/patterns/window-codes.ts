/** Number of contents of a window of 3 x 3 squares, each empty, own or other. */
export const WINDOW_CODES = 3 ** 9;

/**
 * `[512]` nine bits as ternary digits. The code of a window in a player's view is that of its own stones plus twice
 * that of the other's; digit `i` is square `i` from the window's lower left on, row by row.
 */
export const TERNARY = Uint16Array.from({ length: 512 }, (_, bits) => {
  let code = 0;
  for (let digit = 8; digit >= 0; digit--) code = 3 * code + ((bits >> digit) & 1);
  return code;
});

/** Digits of a code, from the lowest on. */
function digitsOf(code: number): number[] {
  return Array.from({ length: 9 }, (_, digit) => Math.floor(code / 3 ** digit) % 3);
}

function codeOf(digits: readonly number[]): number {
  return digits.reduceRight((code, digit) => 3 * code + digit, 0);
}

/** `[19683]` each code as the other player sees it: rows from the other end, colours exchanged. */
export const OTHER_VIEW = Uint16Array.from({ length: WINDOW_CODES }, (_, code) => {
  const digits = digitsOf(code);
  const rows = [...digits.slice(6), ...digits.slice(3, 6), ...digits.slice(0, 3)];
  return codeOf(rows.map((digit) => (3 - digit) % 3));
});
