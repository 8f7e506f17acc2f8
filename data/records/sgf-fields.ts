/** The number of Gess among SGF's games. */
export const GAME_NUMBER = '20';

/** Properties of a starting position: stones, player to move, and plies before it (`PLY`, our own property). */
export const SETUP_PROPERTIES = ['AB', 'AW', 'AE', 'PL', 'PLY'] as const;

/** Time that a move took: our own property, since SGF has only the time left. */
export const SECONDS_PROPERTY = 'SECONDS';

/** Properties of a root that are fields of a record, or describe the file. */
export const ROOT_FIELDS: ReadonlySet<string> = new Set([
  ...['FF', 'GM', 'CA', 'SZ', 'RU', 'PB', 'PW', 'EV', 'DT', 'RE', 'C', 'B', 'W', SECONDS_PROPERTY],
  ...SETUP_PROPERTIES,
]);

/** Properties of other nodes that are fields of a move, or are not allowed there. */
export const MOVE_FIELDS: ReadonlySet<string> = new Set([
  ...['B', 'W', 'C', SECONDS_PROPERTY],
  ...SETUP_PROPERTIES,
]);

/** SGF's colours of players 0 and 1, which are also the properties of their moves. */
export const COLORS = ['B', 'W'] as const;

/** `black+R` for `B+R`, `black` for `B+`, `draw` for `0` or `Draw`; other words unchanged. */
export function parseResult(text: string): string {
  const [, winner, how = ''] = /^([BW])\+([^]*)$/.exec(text) ?? [];
  if (winner !== undefined) return `${winner === 'B' ? 'black' : 'white'}${how === '' ? '' : `+${how}`}`;
  return /^(0|draw)$/i.test(text) ? 'draw' : text;
}

/** The inverse of `parseResult`. */
export function formatResult(result: string): string {
  const [, winner, how = '+'] = /^(black|white)(\+[^]*)?$/.exec(result) ?? [];
  if (winner !== undefined) return `${winner === 'black' ? 'B' : 'W'}${how}`;
  return result === 'draw' ? 'Draw' : result;
}
