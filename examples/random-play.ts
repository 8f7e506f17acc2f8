/**
 * Random games in the turn-based environment, with the mask of legal actions.
 *
 *   npm run build && node dist/examples/random-play.js [id] [games] [seed]
 */
import { make } from 'gess-zero/env/environments/make';
import { createRng } from 'gess-zero/env/random';

const [id = 'gess/Gess', games = '3', seed = '1'] = process.argv.slice(2);
const env = make(id, { renderMode: 'ansi' });
const rng = createRng(Number(seed), 'randomPlay');

for (let game = 0; game < Number(games); game++) {
  env.reset(game === 0 ? { seed: Number(seed) } : {});
  const totals = new Map(env.possibleAgents.map((agent) => [agent, 0]));
  let steps = 0;
  while (env.agents.length > 0) {
    const agent = env.agentSelection;
    const { info, reward, terminated, truncated } = env.last();
    totals.set(agent, totals.get(agent)! + reward);
    const isOver = terminated || truncated;
    // `info.legalActions` has the same actions as the mask, and is faster to sample from.
    env.step(isOver ? null : env.actionSpace(agent).sample(rng, { legalActions: info.legalActions }));
    if (!isOver) steps += 1;
  }
  if (game === 0) console.log(env.render());
  const rewards = Array.from(totals, ([agent, total]) => `${agent} ${total}`).join(', ');
  console.log(`game ${game + 1}: ${steps} plies, ${rewards}`);
}
env.close();
