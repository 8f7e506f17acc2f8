import type { Agent } from '../../agents/agent.js';
import { isLearnt } from '../../data/shards/sample.js';
import { createGame } from '../../env/games.js';
import { createRng } from '../../env/random.js';
import { withAgent } from '../export/open-agent.js';
import type { GameIdentity } from '../games/game-config.js';
import { chooseForRows, moveTargets } from '../play/agent-targets.js';
import type { FinishedGame } from './training-game.js';

/**
 * An agent whose moves and values the network learns in the positions of its own games.
 *
 * @see Ross et al. 2011, "A reduction of imitation learning and structured prediction to no-regret online learning":
 *   an expert labels the positions that the learner itself reaches.
 */
export class Teacher {
  private readonly agent: Agent<unknown>;
  private readonly seed: number;

  /** @param seed seed of the agent's random streams. */
  constructor(agent: Agent<unknown>, seed: number) {
    this.agent = agent;
    this.seed = seed;
  }

  /**
   * The game with the agent's moves and values as targets of the rows that are learnt.
   *
   * @throws as `chooseForRows` does.
   */
  async teach(game: FinishedGame): Promise<FinishedGame> {
    const learnt = game.samples.filter(isLearnt);
    const choices = await chooseForRows(this.agent, learnt, ({ gameId, ply }) =>
      createRng(this.seed, 'teacher', gameId, ply),
    );
    let next = 0;
    const samples = game.samples.map((sample) => {
      if (!isLearnt(sample)) return sample;
      const { action, value } = choices[next++]!;
      return { ...sample, ...moveTargets(sample, action), rootValue: value };
    });
    return { ...game, samples };
  }
}

/**
 * Lets a teacher, if there is one, judge the first position, so that a run with an unsuitable agent fails before its
 * games.
 *
 * @throws AgentError for the agent's text or model; as `chooseForRows` does.
 */
export async function expectTeacher(text: string | undefined, { id, rules }: GameIdentity): Promise<void> {
  if (text === undefined) return;
  const game = createGame(id, rules);
  const position = new Uint8Array(game.packedSize);
  game.pack(game.initialState(), position, 0);
  const rows = [{ position, gameId: 0, ply: 0 }];
  await withAgent(text, game, (agent) => chooseForRows(agent, rows, () => createRng(0, 'teacher')));
}
