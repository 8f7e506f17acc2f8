import { describe, expect, test } from 'vitest';
import { formatAgentSpec, parseAgentSpec } from '../../agents/agent-spec.js';
import type { PlayOptions } from '../../agents/play-options.js';
import { knownSpec } from '../../session/known-spec.js';
import { levelsOf, MODEL } from '../../session/levels.js';

describe.each(['network', 'alpha-beta'] as const)('the levels of %s', (kind) => {
  const levels = levelsOf(kind);

  test('have different names, and agents that can be made', () => {
    expect(new Set(levels.map(({ name }) => name)).size).toBe(levels.length);
    for (const { agent } of levels) {
      const spec = parseAgentSpec(agent.replace(MODEL, 'gess'));
      expect(parseAgentSpec(formatAgentSpec(spec))).toEqual(spec);
    }
  });

  test.each<PlayOptions>([
    {},
    { exploration: 2, firstPlayReduction: 0.5 },
    { symmetries: 8, leaves: 2, precision: 'int8' },
  ])('have the specifications that the parser reads, with a model for which %o is best', (playOptions) => {
    const others = ['mcts:model=MODEL', 'mcts:model=MODEL,nodes=7,exploration=3', 'solver'];
    for (const agent of [...levels.map((level) => level.agent), ...others]) {
      const text = agent.replace(MODEL, 'gess-0123.onnx');
      expect(knownSpec(text, playOptions)).toEqual(parseAgentSpec(text, playOptions));
    }
  });
});
