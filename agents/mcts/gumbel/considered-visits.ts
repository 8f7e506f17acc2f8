/**
 * The order in which sequential halving divides `simulations` among `considered` actions: simulation `i` visits the
 * best action among those with `visits[i]` visits. All actions are visited in turn; after each of `log2(considered)`
 * rounds of about equal length the better half remains, at least two.
 *
 * @returns `[simulations]` visit counts.
 * @see Karnin, Koren, Somekh 2013, "Almost optimal exploration in multi-armed bandits"; Danihelka et al. 2022,
 *   "Policy improvement by planning with Gumbel", section 3. Equal to the table of the package mctx.
 */
export function consideredVisits(considered: number, simulations: number): Int32Array {
  const sequence = new Int32Array(simulations);
  if (considered <= 1) return sequence.map((_, simulation) => simulation);
  const rounds = Math.ceil(Math.log2(considered));
  let left = considered;
  let visits = 0;
  let filled = 0;
  while (filled < simulations) {
    const extraVisits = Math.max(1, Math.floor(simulations / (rounds * left)));
    for (let extra = 0; extra < extraVisits; extra++) {
      // `fill` stops at the end of the array.
      sequence.fill(visits, filled, filled + left);
      filled += left;
      visits += 1;
    }
    left = Math.max(2, left >> 1);
  }
  return sequence;
}
