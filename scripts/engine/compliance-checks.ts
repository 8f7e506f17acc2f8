import { setTimeout as delay } from 'node:timers/promises';
import type { Game } from '../../env/game.js';
import { parseMoves, positionAfter } from '../../env/replay/replay.js';
import type { EngineProcess } from '../../training/play/engines/engine-process.js';
import { finishedGame, samplePositions } from './compliance-positions.js';

/** Time limit for answers that need no search. */
const ANSWER_MS = 10_000;
/** Time limit for a search that should end soon. */
const SEARCH_MS = 60_000;
/** The `movetime` of searches. */
const MOVE_MS = 300;
/** How far a search may exceed its time, including the start-up of the process's threads. */
const LATE_MS = 500;
/** Time within which an engine must stop. */
const STOP_MS = 500;
/** Length of a silence in which an infinite search must not answer. */
const SILENCE_MS = 300;

/** An engine under test, and the game that it plays. */
export interface TestedEngine {
  readonly engine: EngineProcess;
  readonly game: Game<unknown>;
}

/** One requirement of the protocol. The function throws a `ComplianceFault` if the engine does not meet it. */
export interface ComplianceCheck {
  readonly name: string;
  readonly run: (tested: TestedEngine) => Promise<void>;
}

/** A requirement that an engine does not meet. */
export class ComplianceFault extends Error {
  override readonly name = 'ComplianceFault';
}

function expectThat(isMet: boolean, expected: string): asserts isMet {
  if (!isMet) throw new ComplianceFault(`expected ${expected}`);
}

function positionLine(moves: string): string {
  return moves === '' ? 'position start' : `position start moves ${moves}`;
}

/** Starts a search and returns its lines, `bestmove` last. */
async function search(engine: EngineProcess, position: string, go: string): Promise<readonly string[]> {
  engine.send(position);
  engine.send(go);
  return engine.until('bestmove', SEARCH_MS);
}

function wordsAfter(line: string, word: string): readonly string[] {
  const words = line.trim().split(/\s+/);
  const index = words.indexOf(word);
  return index < 0 ? [] : words.slice(index + 1);
}

/** Checks the last line of a search: a legal move of the position. */
function expectLegalAnswer(game: Game<unknown>, moves: string, lines: readonly string[]): string {
  const answer = lines.at(-1)!;
  const [move = ''] = wordsAfter(answer, 'bestmove');
  expectLegalLine(game, moves, move, `'${answer}' after the moves '${moves}'`);
  return move;
}

/** Checks that `line` can be played after `moves`. */
function expectLegalLine(game: Game<unknown>, moves: string, line: string, where: string): void {
  try {
    expectThat(parseMoves(game, line).length > 0, `a move in ${where}`);
    positionAfter(game, { moves: `${moves} ${line}` });
  } catch (error) {
    if (error instanceof ComplianceFault) throw error;
    throw new ComplianceFault(`expected legal moves in ${where}: ${String(error)}`);
  }
}

function expectScore(line: string): void {
  const [kind, number] = wordsAfter(line, 'score');
  if (kind === undefined) return;
  const isKnown = kind === 'value' || kind === 'win' || kind === 'loss';
  expectThat(isKnown, `'score value', 'score win' or 'score loss' in '${line}'`);
  const score = Number(number);
  const isInRange = kind === 'value' ? Math.abs(score) <= 1 : Number.isInteger(score) && score >= 1;
  expectThat(isInRange, `a score in its range in '${line}'`);
}

/** The requirements, in the order in which they are checked on one running engine; the last two end it. */
export const COMPLIANCE_CHECKS: readonly ComplianceCheck[] = [
  {
    name: 'uci is answered by a name, options and uciok',
    run: async ({ engine }: TestedEngine): Promise<void> => {
      engine.send('uci');
      const lines = await engine.until('uciok', ANSWER_MS);
      expectThat(
        lines.some((line) => /^id name \S/.test(line)),
        "a line 'id name …' before 'uciok'",
      );
      for (const line of lines.filter((text) => text.startsWith('option'))) {
        expectThat(
          /^option name \S.* type (check|spin|combo|button|string)/.test(line),
          `a declared type in '${line}'`,
        );
      }
    },
  },
  {
    name: 'isready is answered by readyok',
    run: async ({ engine }: TestedEngine): Promise<void> => {
      engine.send('isready');
      await engine.until('readyok', SEARCH_MS);
    },
  },
  {
    name: 'bestmove is legal in positions set by moves',
    run: async ({ engine, game }: TestedEngine): Promise<void> => {
      for (const moves of samplePositions(game)) {
        expectLegalAnswer(game, moves, await search(engine, positionLine(moves), `go movetime ${MOVE_MS}`));
      }
    },
  },
  {
    name: 'bestmove is legal in positions set by text',
    run: async ({ engine, game }: TestedEngine): Promise<void> => {
      for (const moves of samplePositions(game)) {
        const position = game.formatPosition(positionAfter(game, { moves }));
        const lines = await search(engine, `position ${position}`, `go movetime ${MOVE_MS}`);
        expectLegalAnswer(game, moves, lines);
      }
    },
  },
  {
    name: 'each line of information has legal moves and a score in its range',
    run: async ({ engine, game }: TestedEngine): Promise<void> => {
      for (const moves of samplePositions(game)) {
        const lines = await search(engine, positionLine(moves), `go movetime ${MOVE_MS}`);
        for (const line of lines) {
          expectScore(line);
          const variation = wordsAfter(line, 'pv').join(' ');
          if (variation !== '')
            expectLegalLine(game, moves, variation, `'${line}' after the moves '${moves}'`);
        }
      }
    },
  },
  {
    name: 'the last line of information begins with bestmove',
    run: async ({ engine, game }: TestedEngine): Promise<void> => {
      const lines = await search(engine, positionLine(''), `go movetime ${MOVE_MS}`);
      const move = expectLegalAnswer(game, '', lines);
      const isFirst = (line: string): boolean =>
        wordsAfter(line, 'multipv')[0] !== undefined ? wordsAfter(line, 'multipv')[0] === '1' : true;
      const last = lines.filter((line) => wordsAfter(line, 'pv').length > 0 && isFirst(line)).at(-1);
      if (last !== undefined)
        expectThat(wordsAfter(last, 'pv')[0] === move, `'${last}' to begin with ${move}`);
    },
  },
  {
    name: `movetime is kept within ${LATE_MS} ms`,
    run: async ({ engine }: TestedEngine): Promise<void> => {
      const start = performance.now();
      await search(engine, positionLine(''), `go movetime ${MOVE_MS}`);
      const took = Math.round(performance.now() - start);
      expectThat(took <= MOVE_MS + LATE_MS, `an answer within ${MOVE_MS + LATE_MS} ms, got it after ${took}`);
    },
  },
  {
    name: 'an infinite search waits for stop, and answers isready meanwhile',
    run: async ({ engine, game }: TestedEngine): Promise<void> => {
      engine.send(positionLine(''));
      engine.send('go infinite');
      engine.send('isready');
      const lines = await engine.until('readyok', ANSWER_MS);
      await delay(SILENCE_MS);
      const isSilent = ![...lines, ...engine.take()].some((line) => line.startsWith('bestmove'));
      expectThat(isSilent, "no 'bestmove' before 'stop'");
      const start = performance.now();
      engine.send('stop');
      expectLegalAnswer(game, '', await engine.until('bestmove', ANSWER_MS));
      const took = Math.round(performance.now() - start);
      expectThat(took <= STOP_MS, `'bestmove' within ${STOP_MS} ms of 'stop', got it after ${took}`);
    },
  },
  {
    name: 'each go is answered by one bestmove, and stop without a search by none',
    run: async ({ engine }: TestedEngine): Promise<void> => {
      await search(engine, positionLine(''), `go movetime ${MOVE_MS}`);
      engine.send('stop');
      engine.send('isready');
      const lines = await engine.until('readyok', ANSWER_MS);
      expectThat(!lines.some((line) => line.startsWith('bestmove')), "no second 'bestmove'");
    },
  },
  {
    name: 'a finished game has no move',
    run: async ({ engine, game }: TestedEngine): Promise<void> => {
      const lines = await search(engine, positionLine(finishedGame(game)), `go movetime ${MOVE_MS}`);
      expectThat(lines.at(-1)!.trim() === 'bestmove none', `'bestmove none', got '${lines.at(-1)!}'`);
    },
  },
  {
    name: 'ucinewgame forgets the position',
    run: async ({ engine, game }: TestedEngine): Promise<void> => {
      engine.send(positionLine(finishedGame(game)));
      engine.send('ucinewgame');
      engine.send(`go movetime ${MOVE_MS}`);
      expectLegalAnswer(game, '', await engine.until('bestmove', SEARCH_MS));
    },
  },
  {
    name: 'unknown lines and illegal moves change nothing',
    run: async ({ engine, game }: TestedEngine): Promise<void> => {
      const moves = samplePositions(game)[2]!;
      engine.send(positionLine(moves));
      for (const line of [
        'xyzzy',
        '',
        'go sideways',
        'position start moves zz',
        '\u0000\u00FF',
        'x'.repeat(10_000),
      ]) {
        engine.send(line);
      }
      engine.send('isready');
      const lines = await engine.until('readyok', ANSWER_MS);
      const isSilent = !lines.some((line) => line.startsWith('bestmove'));
      expectThat(isSilent, "no 'bestmove' after lines that ask for nothing");
      engine.send(`go movetime ${MOVE_MS}`);
      expectLegalAnswer(game, moves, await engine.until('bestmove', SEARCH_MS));
    },
  },
  {
    name: 'quit ends the engine, during a search too',
    run: async ({ engine }: TestedEngine): Promise<void> => {
      engine.send('go infinite');
      engine.send('quit');
      await expectEnd(engine, "'quit'");
    },
  },
];

/** A check that ends the input of its process. */
export const END_OF_INPUT_CHECK: ComplianceCheck = {
  name: 'the end of the input ends the engine',
  run: async ({ engine }: TestedEngine): Promise<void> => {
    engine.send('isready');
    await engine.until('readyok', SEARCH_MS);
    engine.closeInput();
    await expectEnd(engine, 'the end of its input');
  },
};

async function expectEnd(engine: EngineProcess, cause: string): Promise<void> {
  const late = new Promise<null>((resolve) => {
    setTimeout(resolve, ANSWER_MS, null).unref();
  });
  const exit = await Promise.race([engine.ended, late]);
  expectThat(exit !== null, `the engine to end within ${ANSWER_MS} ms of ${cause}`);
  expectThat(exit.code === 0, `exit code 0 after ${cause}, got ${exit.code ?? exit.signal ?? 'none'}`);
}
