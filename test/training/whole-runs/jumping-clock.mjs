// Loaded by programs under test (`node --import`): their clock jumps back and forth by years whenever it is read.
const RealDate = Date;
const YEAR_MS = 365 * 24 * 3600 * 1000;
let looks = 0;

function jumpingNow() {
  looks += 1;
  return RealDate.now() + (looks % 2 === 0 ? 20 : -30) * YEAR_MS - looks * 1000;
}

globalThis.Date = class extends RealDate {
  constructor(...values) {
    super(...(values.length === 0 ? [jumpingNow()] : values));
  }

  static now() {
    return jumpingNow();
  }
};
