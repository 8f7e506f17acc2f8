import { recordOfTree, treeOfRecord } from '../session/record-tree.js';
import type { GameTree } from '../session/game-tree.js';
import { Analysis } from './rooms/analysis/analysis.svelte.js';
import { ModelList, type ListedModel } from './engine/model-list.js';
import type { PageEngine } from './engine/page-engine.js';
import { type GameSetup, needsModel, PERSON, personOf } from './rooms/game/game-setup.js';
import { Match, type MatchServices } from './rooms/game/match.svelte.js';
import { FIRST_GAME } from './routing/route.js';
import { treeOfQuery } from './share/game-link.js';
import { errorText } from '../env/text/error-text.js';

/** A game under analysis. */
export interface Study {
  readonly match: Match;
  readonly analysis: Analysis;
}

/** The games of the page and its engine. */
export class PageState {
  match = $state.raw<Match | null>(null);
  study = $state.raw<Study | null>(null);
  isFlipped = $state(false);
  /** The reason why the address's game cannot be shown. */
  problem = $state<string | null>(null);
  readonly engine: PageEngine;
  private readonly models = new ModelList(new URL('./models/', document.baseURI));

  constructor(engine: PageEngine) {
    this.engine = engine;
  }

  readonly modelFor = (game: string, rules: string): Promise<ListedModel | undefined> =>
    this.models.find(game, rules);

  /** Loads the runtime, and the model of the game on the board, before a search asks for them. */
  warmUp(): Promise<void> {
    const { game, rules } = this.match?.setup ?? this.study?.match.setup ?? FIRST_GAME;
    return this.engine.load(game, rules);
  }

  /** Starts a game. */
  start(setup: GameSetup): void {
    this.match?.stop();
    // Begins before the first move is requested: the runtime is large.
    if (setup.seats.some((seat) => seat.kind === 'computer' && needsModel(seat)))
      void this.engine.load(setup.game, setup.rules);
    this.match = new Match(setup, this.services());
    this.isFlipped = personOf(setup) === 1;
    this.match.begin();
  }

  /** Starts the game of an address. Returns whether there is one of its rules; if not, `problem` tells why. */
  tryStart(setup: GameSetup): boolean {
    this.problem = null;
    try {
      this.start(setup);
      return true;
    } catch (error) {
      this.problem = errorText(error);
      return false;
    }
  }

  /** Analyses a game; the tree becomes the study's. */
  analyse(tree: GameTree): void {
    this.match?.stop();
    this.study?.analysis.stop();
    const match = Match.ofTree(tree, this.services());
    this.study = { match, analysis: new Analysis(match, this.engine, this.modelFor) };
  }

  /** Analyses a copy of the game that is played, at the same position. */
  analyseMatch({ tree }: Match): void {
    const copy = treeOfRecord(tree.game, recordOfTree(tree));
    for (const action of tree.actionsTo(tree.current)) copy.play(action);
    this.analyse(copy);
  }

  /** Analyses the game that an address holds, if it holds one. */
  analyseQuery(query: URLSearchParams): void {
    this.problem = null;
    try {
      const tree = treeOfQuery(query);
      if (tree !== null) this.analyse(tree);
    } catch (error) {
      this.problem = errorText(error);
    }
  }

  /** Plays on from the position under analysis, against the computer of the last game. */
  playHere({ match: { table, tree, view } }: Study): void {
    const seats = this.match?.setup.seats ?? [PERSON, { kind: 'computer', opponent: 'network', level: 3 }];
    const computer = seats.find(({ kind }) => kind === 'computer') ?? PERSON;
    this.start({
      game: table.game.id,
      rules: table.game.rules,
      position: table.game.formatPosition(tree.state),
      seats: view.player === 0 ? [PERSON, computer] : [computer, PERSON],
    });
  }

  private services(): MatchServices {
    return { engine: this.engine, modelFor: this.modelFor, seed: Math.floor(Math.random() * 2 ** 31) };
  }
}
