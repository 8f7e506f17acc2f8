/** First plies of the phases of a game. */
const PHASE_PLIES = [0, 20, 40] as const;

function nameOf(from: number): string {
  return `ply ${from} on`;
}

/** The names of the phases. */
export const PHASES = PHASE_PLIES.map(nameOf);

/** The name of the phase with a ply. */
export function phaseOf(ply: number): string {
  return nameOf(PHASE_PLIES.findLast((from) => ply >= from)!);
}
