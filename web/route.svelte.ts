/** The rooms of the page, by the first word of the address after `#/`. */
export const ROOMS = ['home', 'play', 'analyse', 'learn', 'problems', 'laboratory'] as const;
/** See `ROOMS`. */
export type Room = (typeof ROOMS)[number];

/** The place that the address names: a room, and what is in it. */
export interface Route {
  readonly room: Room;
  readonly query: URLSearchParams;
}

/** Reads the part of an address after `#`. */
function parseRoute(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#?\/?/, '').split('?', 2);
  const room = ROOMS.find((name) => name === path) ?? 'home';
  return { room, query: new URLSearchParams(query) };
}

/** Follows the address of the page. */
export class Router {
  route = $state.raw<Route>(parseRoute(location.hash));

  constructor() {
    addEventListener('hashchange', () => {
      this.route = parseRoute(location.hash);
    });
  }

  /** Goes to a room. */
  go(room: Room): void {
    location.hash = `#/${room}`;
  }
}
