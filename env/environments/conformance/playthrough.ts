import { type Action, type Game, listActions } from '../../game.js';
import { nameOutcome, parseMoves } from '../../replay/replay.js';
import { createRng } from '../../random.js';
import type { FindingList } from './finding.js';
import { chooseGame, drawPicks } from './game-play.js';
import { observe, pack } from './game-run.js';

/** Options of a playthrough. */
export interface PlaythroughOptions {
  /** The actions, all legal. Defaults to a random game. */
  readonly actions?: readonly Action[] | undefined;
  /** The seed of the random game. Defaults to 1. */
  readonly seed?: number | undefined;
  /** Maximum number of plies of the random game. Defaults to 40. */
  readonly plies?: number | undefined;
}

/** Maximum number of legal actions to print at a position, spread over the list. */
const MAX_SHOWN_ACTIONS = 8;
const DEFAULT_PLIES = 40;

/**
 * Formats a game from its start as text, like OpenSpiel's playthroughs: the facts of the game, then everything
 * each position shows, with long lists shortened. Any change of rules, encodings or texts changes it.
 *
 * @see Lanctot et al. 2019, "OpenSpiel: A Framework for Reinforcement Learning in Games".
 */
export function formatPlaythrough<State>(game: Game<State>, options: PlaythroughOptions = {}): string {
  const { seed = 1, plies = DEFAULT_PLIES } = options;
  const actions = options.actions ?? chooseGame(game, drawPicks(createRng(seed, 'playthrough'), plies));
  const state = game.initialState();
  const blocks = [formatFacts(game)];
  for (const action of actions) {
    blocks.push(formatPosition(game, state), `${MOVE_MARK}${game.formatAction(action)}`);
    game.apply(state, action);
  }
  return [...blocks, formatPosition(game, state), ''].join('\n\n').replace(/\n+$/, '\n');
}

const MOVE_MARK = 'move: ';

/**
 * Replays the text of a `formatPlaythrough` and compares.
 *
 * @throws NotationError `action-syntax` for a malformed move.
 */
export function comparePlaythrough<State>(game: Game<State>, text: string, list: FindingList): void {
  const expected = text.split('\n');
  const moves = expected
    .filter((line) => line.startsWith(MOVE_MARK))
    .map((line) => line.slice(MOVE_MARK.length));
  const found = formatPlaythrough(game, { actions: parseMoves(game, moves.join(' ')) }).split('\n');
  const line = expected.findIndex((content, index) => content !== found[index]);
  if (line === -1 && found.length === expected.length) return;
  const at = line === -1 ? expected.length : line;
  const before = expected.slice(0, at);
  const step = before.filter((content) => content.startsWith(MOVE_MARK)).length;
  const message = `line ${at + 1}: expected '${expected[at] ?? ''}', got '${found[at] ?? ''}'`;
  list.add('game-playthrough', message, { episode: null, step });
}

function formatFacts<State>(game: Game<State>): string {
  return [
    `game: ${game.id}`,
    `rules: ${game.rules}`,
    `rulesVersion: ${game.rulesVersion}`,
    `encodingVersion: ${game.encodingVersion}`,
    `playerNames: ${game.playerNames.join(', ')}`,
    `numActions: ${game.numActions}`,
    `maxLegalActions: ${game.maxLegalActions}`,
    `observationShape: ${game.observationShape.join(' x ')}`,
    `policyShape: ${game.policyShape.join(' x ')}`,
    `plyLimit: ${game.plyLimit}`,
    `packedSize: ${game.packedSize}`,
    `symmetries: ${game.symmetries.map(({ name }) => name).join(', ')}`,
  ].join('\n');
}

function formatPosition<State>(game: Game<State>, state: State): string {
  const actions = listActions(game, state);
  const player = game.currentPlayer(state);
  return [
    `# position ${game.ply(state)}`,
    ...game
      .render(state)
      .split('\n')
      .map((line) => `# ${line}`.trimEnd()),
    `text: ${game.formatPosition(state)}`,
    `player: ${game.playerNames[player]}`,
    `outcome: ${nameOutcome(game, state) ?? 'none yet'}`,
    `hash: ${hexadecimal(game.hash(state))}`,
    `observationHash: ${hexadecimal(game.observationHash(state))}`,
    `observation: ${game.playerNames.map((name, viewer) => `${name} ${planesText(game, state, viewer)}`).join(', ')}`,
    `packed: ${digest(pack(game, state))}`,
    `legalActions: ${actions.length}, ${digest(actions)}`,
    `some: ${someOf(actions)
      .map((action) => `${action} ${game.formatAction(action)} ${game.policyIndex(player, action)}`)
      .join(', ')}`.trimEnd(),
    ...(game.describe === undefined ? [] : [`about: ${JSON.stringify(game.describe(state))}`]),
  ].join('\n');
}

function planesText<State>(game: Game<State>, state: State, viewer: number): string {
  return digest(observe(game, state, viewer === 0 ? 0 : 1));
}

function someOf(actions: Int32Array): number[] {
  const stride = Math.max(1, Math.ceil(actions.length / MAX_SHOWN_ACTIONS));
  return [...actions].filter((_, index) => index % stride === 0);
}

function hexadecimal(hash: number): string {
  return hash.toString(16).padStart(14, '0');
}

/** FNV-1a, 32 bits, of the bytes, little-endian: Fowler, Noll and Vo 1991. */
function digest(numbers: Float32Array | Int32Array | Uint8Array): string {
  const bytes = new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
  let hash = 0x811c9dc5;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, '0');
}
