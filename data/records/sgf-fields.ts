/** Stones and turn of a starting position; `PLY`, the plies before it, is ours. */
export const SETUP_PROPERTIES = ['AB', 'AW', 'AE', 'PL', 'PLY'] as const;

/** Time that a move took; ours, since SGF knows only the time that is left. */
export const SECONDS_PROPERTY = 'SECONDS';

/** Properties of a root that a record has fields for, or that say what file it is. */
export const ROOT_FIELDS: ReadonlySet<string> = new Set([
  ...['FF', 'GM', 'CA', 'SZ', 'RU', 'PB', 'PW', 'EV', 'DT', 'RE', 'C', 'B', 'W', SECONDS_PROPERTY],
  ...SETUP_PROPERTIES,
]);

/** Properties of other nodes that a record's move has fields for, or that may not be there. */
export const MOVE_FIELDS: ReadonlySet<string> = new Set([
  ...['B', 'W', 'C', SECONDS_PROPERTY],
  ...SETUP_PROPERTIES,
]);

/** What players 0 and 1 are called: `B` and `W` are also the properties of their moves. */
export const COLORS = ['B', 'W'] as const;

/** `black+R` for `B+R`, `black` for `B+`, `draw` for `0` or `Draw`; other words as they are. */
export function parseResult(text: string): string {
  const [, winner, how = ''] = /^([BW])\+([^]*)$/.exec(text) ?? [];
  if (winner !== undefined) return `${winner === 'B' ? 'black' : 'white'}${how === '' ? '' : `+${how}`}`;
  return /^(0|draw)$/i.test(text) ? 'draw' : text;
}

/** What `parseResult` reads. */
export function formatResult(result: string): string {
  const [, winner, how = '+'] = /^(black|white)(\+[^]*)?$/.exec(result) ?? [];
  if (winner !== undefined) return `${winner === 'black' ? 'B' : 'W'}${how}`;
  return result === 'draw' ? 'Draw' : result;
}
