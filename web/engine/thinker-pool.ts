import type { InferenceSession } from '../../agents/evaluators/inference-session.js';
import type { Thinker, Thought } from '../../agents/thinking/thinking.js';
import type { Game } from '../../env/game.js';
import { createGame } from '../../env/games.js';
import { createRng } from '../../env/random.js';
import type { EngineThought, GameLine, Question } from './messages.js';
import { type ListedModel, ModelList } from './model-list.js';
import { createPageThinker } from './page-thinker.js';

/** Watches and stops a search. */
export interface Watch {
  readonly shouldStop: () => boolean;
  readonly onThought: (thought: EngineThought) => void;
}

/** The thinker in use, with the game and agent that it was made for. */
interface Player {
  readonly key: string;
  readonly game: Game<unknown>;
  readonly thinker: Thinker<unknown>;
}

function positionOf(game: Game<unknown>, { start, actions, seconds }: GameLine): unknown {
  const state = game.parsePosition(start);
  actions.forEach((action, index) => {
    game.spendTime?.(state, seconds[index] ?? 0);
    game.apply(state, action);
  });
  return state;
}

/** The thinkers of the worker: the last thinker, with its tree, and the sessions of all models used so far. */
export class ThinkerPool {
  private readonly models: ModelList;
  private readonly sessions = new Map<string, Promise<InferenceSession>>();
  private player: Player | undefined;

  /** @param folder of the models. */
  constructor(folder: URL) {
    this.models = new ModelList(folder);
  }

  /** Loads the runtime and a game's model ahead of their use, if there is a model for its rules. */
  async load(game: string, rules: string): Promise<void> {
    // Beside the list of models and the model.
    if (this.sessions.size === 0) void import('./web-session.js').then(({ startRuntime }) => startRuntime());
    const model = await this.models.find(game, rules);
    if (model !== undefined) await this.sessionOf(model.file);
  }

  /**
   * Answers a question.
   *
   * @throws errors of `createPageThinker`, of the game's notation and of the evaluator.
   */
  async think(question: Question, { shouldStop, onThought }: Watch): Promise<EngineThought> {
    const { line, limits, lines = 1, wantsPriors = false } = question;
    const { game, thinker } = await this.playerFor(question);
    const trim = (thought: Thought): EngineThought => trimThought(thought, lines, wantsPriors);
    const thought = await thinker.think(positionOf(game, line), {
      limits: { ...thinker.limits, ...limits },
      lines: wantsPriors ? game.maxLegalActions : lines,
      shouldStop,
      onThought: (partial) => {
        onThought(trim(partial));
      },
    });
    return trim(thought);
  }

  private async playerFor({ line, agent, seed }: Question): Promise<Player> {
    const key = JSON.stringify([line.game, line.rules, agent, seed]);
    if (this.player?.key === key) return this.player;
    await this.player?.thinker.dispose();
    this.player = undefined;
    const game = createGame(line.game, line.rules);
    const thinker = await createPageThinker(agent, game, (file) => this.shared(file));
    thinker.newGame(createRng(seed));
    this.player = { key, game, thinker };
    return this.player;
  }

  /** A model's session that outlives its thinker. */
  private async shared(file: string): Promise<InferenceSession> {
    const session = await this.sessionOf(file);
    const model: ListedModel | undefined = (await this.models.all()).find((each) => each.file === file);
    const { source, inputs, outputs } = session;
    return {
      ...{ source, inputs, outputs, ...(model !== undefined && { playOptions: model.play }) },
      run: (tensors) => session.run(tensors),
      dispose: () => Promise.resolve(),
    };
  }

  private sessionOf(file: string): Promise<InferenceSession> {
    const known = this.sessions.get(file);
    if (known !== undefined) return known;
    const opened = this.open(file);
    this.sessions.set(file, opened);
    // A download that failed may succeed later.
    opened.catch(() => this.sessions.delete(file));
    return opened;
  }

  private async open(file: string): Promise<InferenceSession> {
    // The runtime is loaded with the first model: alpha-beta needs none.
    const [{ openWebModel }, bytes] = await Promise.all([
      import('./web-session.js'),
      this.models.bytesOf(file),
    ]);
    return openWebModel(bytes, file, 'disabled');
  }
}

function trimThought(thought: Thought, lines: number, wantsPriors: boolean): EngineThought {
  const { candidates, depth, nodes, simulations } = thought;
  const priors = candidates.flatMap(({ action, prior }) => (prior === undefined ? [] : [{ action, prior }]));
  return {
    candidates: candidates.slice(0, lines),
    ...(depth !== undefined && { depth }),
    ...(nodes !== undefined && { nodes }),
    ...(simulations !== undefined && { simulations }),
    ...(wantsPriors && priors.length > 0 && { priors }),
  };
}
