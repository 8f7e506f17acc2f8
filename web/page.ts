import { nextTask } from '../agents/next-task.js';
import { PageEngine } from './engine/page-engine.js';
import { FIRST_GAME, parseRoute } from './routing/route.js';

const engine = new PageEngine();
const { room, query } = parseRoute(location.hash);
// The runtime is large: it loads beside the page where a game begins or is analysed at once.
if (room === 'play' || room === 'analyse')
  void engine.load(query.get('game') ?? FIRST_GAME.game, query.get('rules') ?? FIRST_GAME.rules);

// The rules, the components and the page itself in tasks of their own: one task for all would block slow phones.
// One export is named, so that the build leaves out what nobody imports.
await import('../env/games.js').then(({ createGame }) => createGame);
await nextTask();
const { begin } = await import('./begin.js');
await nextTask();
begin(engine);
