import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createOpponent } from '../../agents/environment-opponent.js';
import type { Json } from '../../env/environments/env-spec.js';
import { type EnvKwargs, make, specOf } from '../../env/environments/make.js';
import { rulesDigest } from '../../env/environments/rules-digest.js';
import { createGame } from '../../env/games.js';

const root = resolve(import.meta.dirname, '..', '..');

/** A page of docs/reference/envs, section by section. */
interface Page {
  readonly headings: readonly string[];
  readonly sections: Readonly<Record<string, string>>;
}

function readPage(name: string): Page {
  const [, ...parts] = readFileSync(join(root, 'docs', 'reference', 'envs', `${name}.md`), 'utf8').split(
    /^## /m,
  );
  const sections = parts.map((part): [string, string] => {
    const end = part.indexOf('\n');
    return [part.slice(0, end), part.slice(end)];
  });
  return { headings: sections.map(([heading]) => heading), sections: Object.fromEntries(sections) };
}

/** The cells of a section's table, without its head. */
function tableOf(section: string): string[][] {
  const [, , ...rows] = section.split('\n').filter((line) => line.startsWith('|'));
  return rows.map((row) =>
    row
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  );
}

function code(texts: readonly string[]): string {
  return texts.map((text) => `\`${text}\``).join(', ');
}

describe.each([
  ['gess', 'gess/Gess-v0', createGame('gess')],
  ['gach', 'gess/Gach-v0', createGame('gess', 'gach')],
  ['quess', 'gess/Quess-v0', createGame('quess')],
  ['connect-four', 'gess/ConnectFour-v0', createGame('connect-four')],
])('docs/reference/envs/%s.md', (name, id, game) => {
  const { headings, sections } = readPage(name);
  const spec = specOf(make(id));

  test("has the sections of pgx's pages, in their order", () => {
    expect(headings).toEqual([
      'Usage',
      'Description',
      'Specs',
      'Observation',
      'Actions',
      'Rewards',
      'Termination',
      'Variants',
      'Version history',
    ]);
  });

  test('states the facts of the environment', () => {
    const { metadata, possibleAgents } = make(id);
    expect(spec.rulesDigest).toBe(rulesDigest(game));
    const most = String(game.maxLegalActions);
    expect(tableOf(sections['Specs']!)).toEqual([
      ['id', `\`${id}\``],
      ['agents', code(possibleAgents)],
      ['actions', `\`Discrete(${game.numActions})\``],
      [
        'legal actions',
        `${game.countLegalActions(game.initialState())} at the start, never more than ${most}`,
      ],
      ['observation', `\`Box(0, 1, [${game.observationShape.join(', ')}])\`, float32`],
      ['action mask', `\`MultiBinary(${game.numActions})\``],
      ['rewards', '1, 0, -1'],
      ['ply limit', String(game.plyLimit)],
      ['rules', `\`${game.rules}\`, version ${game.rulesVersion}`],
      ['encoding version', String(game.encodingVersion)],
      ['symmetries', game.symmetries.map((symmetry) => symmetry.name).join(', ')],
      ['render modes', code(metadata.renderModes)],
    ]);
  });

  test('describes every plane', () => {
    const { planes } = game.encoding;
    expect(planes).toHaveLength(game.observationShape[2]);
    expect(tableOf(sections['Observation']!)).toEqual(planes.map((plane, index) => [String(index), plane]));
    expect(sections['Observation']).toContain(`[${game.observationShape.join(', ')}]`);
  });

  test('numbers actions as the game does', () => {
    const rows = tableOf(sections['Actions']!);
    expect(rows.length).toBeGreaterThan(2);
    for (const [move, action] of rows) {
      const text = move!.replaceAll('`', '');
      expect(game.parseAction(text)).toBe(Number(action));
      expect(game.formatAction(Number(action))).toBe(text);
    }
  });

  test('names existing keywords, rules and opponents', () => {
    const values: Readonly<Record<string, Json[]>> = {
      plyLimit: [9],
      movePlanes: [false, true],
      copy: [false, true],
    };
    let rules = 0;
    for (const [keyword, text] of tableOf(sections['Variants']!)) {
      const key = keyword!.replaceAll('`', '');
      const quoted = Array.from(text!.matchAll(/`'([^']+)'`/g), ([, value]) => value!);
      for (const value of values[key] ?? quoted) {
        const kwargs = { ...(key === 'side' ? { opponent: 'random' } : {}), [key]: value };
        const parts = { createOpponent, write: () => undefined };
        // The page's kwargs are unchecked; `make` throws on invalid ones.
        expect(() => make(id, kwargs as EnvKwargs & { opponent: string }, parts)).not.toThrow();
        if (key === 'rules') rules += 1;
      }
    }
    expect(rules > 0).toBe(game.id !== 'connect-four');
  });

  test('shows the first position', () => {
    const env = make(id, { renderMode: 'svg' });
    env.reset();
    const drawn = readFileSync(join(root, 'docs', 'reference', 'envs', `${game.id}.svg`), 'utf8');
    expect(drawn.trimEnd()).toBe(env.render()!.trimEnd());
  });

  test('has a program with the stated output', () => {
    const program = /```ts\n([^]*?)```/.exec(sections['Usage']!)![1]!;
    const said = Array.from(program.matchAll(/console\.log\(.*\); \/\/ (.+)$/gm), ([, text]) => text);
    // In dist/ the package resolves itself by its name, as compiled.
    const path = join(root, 'dist', `page-${name}.mjs`);
    writeFileSync(path, program);
    try {
      const printed = execFileSync(process.execPath, [path], { encoding: 'utf8' });
      expect(printed.trimEnd().split('\n')).toEqual(said);
    } finally {
      rmSync(path);
    }
  });
});

test('the planes that encode the rules are those on the page of Gach', () => {
  const env = make('gess/Gach-v0');
  env.reset();
  const { observation } = env.observe('black');
  const planes = Array.from({ length: 8 }, (_, index) => {
    const values = new Set(observation.filter((_value, at) => at % 20 === 12 + index));
    return values.size === 1 ? [...values][0] : undefined;
  });
  expect(planes).toEqual([1, 1, 0, 1, 0, 0, 0, 0]);
  expect(readPage('gach').sections['Observation']).toContain(
    'Planes 12, 13 and 15 are 1 everywhere, planes 14 and 16 to 19 are 0.',
  );
});
