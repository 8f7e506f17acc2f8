import * as z from 'zod';
import { DataError } from '../../../data/data-error.js';
import { readInput } from '../../../data/files/input-file.js';
import { type JsonForm, parseForm } from '../../../data/files/json-file.js';

/** Version of `test-vectors.json`. */
export const VECTORS_VERSION = 1;
/** Most positions of a file that is read. */
const MAX_POSITIONS = 100;
/** Most characters of the moves before a position: room for more than a thousand moves. */
const MAX_MOVES_TEXT = 2 ** 14;

const logits = z.array(z.number()).max(100_000);
const outcome = z.array(z.number()).length(3);

/** A plane: one number if all its squares have the same, else its rows. */
const Plane = z.union([z.number(), z.array(z.array(z.number()))]);

/** A position and the outputs of the model for it. `K` is the number of legal actions. */
const TestVector = z.strictObject({
  /** Moves from the first position of the game, separated by spaces. */
  moves: z.string().max(MAX_MOVES_TEXT),
  position: z.string(),
  /** Name of the player to move. */
  player: z.string(),
  /** `[P]` planes. */
  observation: z.array(Plane),
  /** `[K]` texts of the legal moves. */
  legalMoves: z.array(z.string()),
  /** `[K]` their policy indices: the model's input. */
  legal: z.array(z.int()),
  /** `[K]` their logits. */
  legalLogits: logits,
  /** Logits of win, draw and loss of the player to move. */
  outcome,
  /** The outputs of the int8 model. */
  int8: z.strictObject({ legalLogits: logits, outcome }),
});
/** See the schema. */
export type TestVector = z.infer<typeof TestVector>;

/** The content of `test-vectors.json`. */
const TestVectors = z.strictObject({
  vectorsVersion: z.literal(VECTORS_VERSION),
  game: z.string(),
  rules: z.string(),
  /** Explanations of the keys of a position, for people. */
  meaning: z.record(z.string(), z.string()),
  /** Greatest difference in a logit that a correct program may have. */
  tolerance: z.strictObject({ float32: z.number(), int8: z.number() }),
  positions: z.array(TestVector).min(1).max(MAX_POSITIONS),
});
/** See the schema. */
export type TestVectors = z.infer<typeof TestVectors>;

const FORM: JsonForm<TestVectors> = {
  schema: TestVectors,
  name: 'test vectors',
  seal: null,
  limits: { maxValues: 1_000_000 },
  version: {
    key: 'vectorsVersion',
    newest: VECTORS_VERSION,
    error: (message) => new DataError('manifest-too-new', message),
  },
  error: (message, cause) => new DataError('manifest-damaged', message, { cause }),
};

/** Formats test vectors as JSON with a line for each position. */
export function formatTestVectors({ positions, ...rest }: TestVectors): string {
  const head = JSON.stringify(rest, undefined, 2).replace(/\n\}$/, '');
  const lines = positions.map((position) => `    ${JSON.stringify(position)}`);
  return `${head},\n  "positions": [\n${lines.join(',\n')}\n  ]\n}\n`;
}

/**
 * Reads the test vectors of an export.
 *
 * @throws DataError `manifest-damaged`, `manifest-too-new`, `file-unreadable`, `file-too-large`.
 */
export async function readTestVectors(path: string): Promise<TestVectors> {
  return parseForm(await readInput(path, 'vectors'), FORM, { path });
}
