import { describe, expect, test } from 'vitest';
import { formatAgentSpec, parseAgentSpec } from '../../agents/agent-spec.js';
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
});
