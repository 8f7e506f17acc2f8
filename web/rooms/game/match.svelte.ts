import type { Action, Player } from '../../../env/game.js';
import { explainIllegal } from '../../../env/replay/replay.js';
import { GameTree, type NodeId, ROOT_NODE } from '../../../session/game-tree.js';
import type { Table } from '../../board/rules/board-rules.js';
import { createTable } from '../../board/rules/tables.js';
import { type PositionView, viewPosition } from '../../board/position-view.js';
import type { PageEngine, Search } from '../../engine/page-engine.js';
import type { GameLine } from '../../engine/messages.js';
import type { ListedModel } from '../../engine/model-list.js';
import type { GameEnd } from './outcome-words.js';
import { agentOf, type GameSetup, needsModel, PERSON, personOf } from './game-setup.js';
import { errorText } from '../../../env/text/error-text.js';

/** The services that a match needs beside its set-up. */
export interface MatchServices {
  readonly engine: PageEngine;
  /** The model for a game and its rules; undefined if there is none. */
  readonly modelFor: (game: string, rules: string) => Promise<ListedModel | undefined>;
  /** Seed of the agents' random streams. */
  readonly seed: number;
}

/** A game at the board: who plays, the moves with their variations, and the computer's turns. */
export class Match {
  readonly setup: GameSetup;
  readonly table: Table;
  readonly tree: GameTree;
  /** Message of a search that failed. */
  failure = $state<string | null>(null);
  isThinking = $state(false);
  /** Whether alpha-beta replaces the network because no network knows these rules. */
  hasSubstitute = $state(false);
  /** The player who resigned, or whose time ran out, and where. */
  private ended = $state.raw<{ readonly node: NodeId; readonly end: GameEnd } | null>(null);
  private version = $state(0);
  private readonly services: MatchServices;
  private search: Search | undefined;
  /** `performance.now()` at the beginning of the turn. */
  private turnStart = performance.now();
  private now = $state(performance.now());

  /** @throws NotationError for unknown rules or an unreadable position. */
  constructor(setup: GameSetup, services: MatchServices, tree?: GameTree) {
    this.setup = setup;
    this.services = services;
    this.table = createTable(setup.game, setup.rules);
    this.tree = tree ?? new GameTree(this.table.game, setup.position);
  }

  /** A game of people at this screen, to try moves in. */
  static ofTree(tree: GameTree, services: MatchServices): Match {
    const { id: game, rules } = tree.game;
    return new Match({ game, rules, seats: [PERSON, PERSON] }, services, tree);
  }

  /** The current position. */
  readonly view: PositionView = $derived.by(() => {
    this.version;
    return viewPosition(this.table, this.tree);
  });

  /** How the game ended, at its current position; null while it goes on. */
  readonly end: GameEnd | null = $derived.by(() => {
    if (this.view.outcome !== null) return { outcome: this.view.outcome, reason: 'rules' };
    return this.ended?.node === this.view.node ? this.ended.end : null;
  });

  /** Whether it is a person's turn. */
  readonly isOpen: boolean = $derived.by(() => {
    const seat = this.setup.seats[this.view.player];
    return this.end === null && seat.kind === 'person' && !this.isThinking;
  });

  /** Changes with every move, variation and comment. */
  get revision(): number {
    return this.version;
  }

  /** The line of moves to the current position, for the engine. */
  get line(): GameLine {
    const moves = this.tree.pathTo(this.tree.current).flatMap((node) => this.tree.moveOf(node) ?? []);
    return {
      game: this.table.game.id,
      rules: this.table.game.rules,
      start: this.tree.start,
      actions: moves.map(({ action }) => action),
      seconds: moves.map(({ seconds }) => seconds),
    };
  }

  /** Lets the computer play if it is its turn. */
  begin(): void {
    this.turnStart = performance.now();
    const { player } = this.view;
    if (this.end === null && this.setup.seats[player].kind === 'computer') void this.playComputer(player);
  }

  /** Plays a legal move. */
  play(action: Action): void {
    const seconds = this.table.game.spendTime === undefined ? 0 : this.secondsSpent();
    this.stop();
    this.tree.play(action, seconds);
    this.version += 1;
    this.begin();
  }

  /**
   * Plays a move given as text.
   *
   * @returns why it cannot be played; null if it was.
   */
  playText(text: string): string | null {
    const { game } = this.table;
    try {
      const action = game.parseAction(text.trim());
      if (!game.isLegal(this.tree.state, action)) return explainIllegal(game, this.tree.state, action);
      this.play(action);
      return null;
    } catch (error) {
      return errorText(error);
    }
  }

  /** Goes to another position of the game; the computer does not play on from there automatically. */
  goTo(node: NodeId): void {
    this.stop();
    this.tree.goTo(node);
    this.version += 1;
    this.turnStart = performance.now();
  }

  /** Takes moves back until the person is to move again. */
  undo(): void {
    const person = personOf(this.setup);
    let node = this.tree.parentOf(this.tree.current);
    if (node === null) return;
    this.goTo(node);
    while (person !== null && this.view.player !== person) {
      node = this.tree.parentOf(this.tree.current);
      if (node === null) break;
      this.goTo(node);
    }
    if (person !== null && this.view.player !== person) this.begin();
  }

  /** Whether there is a move to take back. */
  readonly canUndo: boolean = $derived.by(() => this.view.node !== ROOT_NODE);

  /** Ends the game for the player to move, or for the person who plays the computer. */
  resign(): void {
    this.lose(personOf(this.setup) ?? this.view.player, 'resignation');
  }

  /** Ends the game for a player. */
  lose(player: Player, reason: GameEnd['reason']): void {
    this.stop();
    this.ended = { node: this.tree.current, end: { outcome: player === 0 ? -1 : 1, reason } };
  }

  /** Seconds of the current turn. */
  secondsSpent(): number {
    return Math.round(performance.now() - this.turnStart) / 1000;
  }

  /** Seconds that each player has left, as of the last `tick`; null without clocks. */
  readonly clocks: readonly [number, number] | null = $derived.by(() => {
    const { state, player, node } = this.view;
    const clocks = this.table.board.clocks(state);
    // Reviewing an earlier position costs no time.
    const isOver = this.end !== null || this.tree.childrenOf(node).length > 0;
    if (clocks === null || isOver) return clocks;
    const left = Math.max(0, clocks[player] - Math.max(0, this.now - this.turnStart) / 1000);
    return player === 0 ? [left, clocks[1]] : [clocks[0], left];
  });

  /** Advances the clocks; the player to move loses when no time is left. */
  tick(): void {
    this.now = performance.now();
    const { player, node } = this.view;
    const isLive = this.end === null && this.tree.childrenOf(node).length === 0;
    if (isLive && this.clocks?.[player] === 0) this.lose(player, 'time');
  }

  /** Ends the computer's search; it plays no move. */
  stop(): void {
    this.search?.stop();
    this.search = undefined;
    this.isThinking = false;
  }

  private async playComputer(player: Player): Promise<void> {
    const seat = this.setup.seats[player];
    if (seat.kind !== 'computer') return;
    const { game } = this.table;
    this.failure = null;
    this.isThinking = true;
    const asked = this.version;
    const isOver = (): boolean => asked !== this.version || !this.isThinking;
    try {
      const model = await this.services.modelFor(game.id, game.rules);
      if (isOver()) return;
      this.hasSubstitute = model === undefined && needsModel(seat);
      const agent = agentOf(seat, model?.file);
      this.search = this.services.engine.think({ line: this.line, agent, seed: this.services.seed });
      const thought = await this.search.result;
      if (isOver() || thought === undefined) return;
      this.play(thought.candidates[0]!.action);
    } catch (error) {
      if (isOver()) return;
      this.failure = errorText(error);
      this.isThinking = false;
    }
  }
}
