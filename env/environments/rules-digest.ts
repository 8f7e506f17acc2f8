import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import type { Game } from '../game.js';
import { gameSpaces } from './game-spaces.js';

/**
 * SHA-256, hexadecimal, of the game, its rules, their versions and the spaces of its environments: equal
 * rules, equal digest. The ply limit is not included.
 */
export function rulesDigest(game: Game<unknown>): string {
  const { id, rules, rulesVersion, encodingVersion, playerNames } = game;
  const { actionSpace, observationSpace } = gameSpaces(game);
  const facts = { id, rules, rulesVersion, encodingVersion, playerNames, actionSpace, observationSpace };
  return bytesToHex(sha256(utf8ToBytes(JSON.stringify(facts))));
}
