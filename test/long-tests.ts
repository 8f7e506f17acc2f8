/** Whether tests run in their long forms, as in CI: `LONG_TESTS=1 npm test`. */
export const isLong = process.env['LONG_TESTS'] === '1';
