/** The rooms of the page, by the first word of the address after `#/`. */
export const ROOMS = ['home', 'play', 'analyse', 'learn', 'problems', 'laboratory'] as const;
/** See `ROOMS`. */
export type Room = (typeof ROOMS)[number];

/** The place that the address names: a room, and what is in it. */
export interface Route {
  readonly room: Room;
  readonly query: URLSearchParams;
}

/** The game of an address that names none. */
export const FIRST_GAME = { game: 'gess', rules: 'eureka' } as const;

/** Reads the part of an address after `#`. */
export function parseRoute(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#?\/?/, '').split('?', 2);
  const room = ROOMS.find((name) => name === path) ?? 'home';
  return { room, query: new URLSearchParams(query) };
}
