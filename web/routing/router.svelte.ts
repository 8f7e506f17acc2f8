import { parseRoute, type Room, type Route } from './route.js';

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
