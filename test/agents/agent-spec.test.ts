import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatAgentSpec, parseAgentSpec } from '../../agents/agent-spec.js';
import { createAgent } from '../../agents/create-agent.js';
import { AgentError } from '../../agents/agent-error.js';
import { connectFour } from '../../env/connect-four/connect-four.js';
import { openModelFile } from '../../training/export/model-file.js';

function codeOf(text: string): string {
  try {
    parseAgentSpec(text);
  } catch (error) {
    if (error instanceof AgentError) return error.code;
    throw error;
  }
  return 'none';
}

describe('the text of an agent', () => {
  test.each([
    ['random', 'random'],
    ['careful', 'careful'],
    ['greedy', 'greedy'],
    ['alphabeta:depth=3', 'alphabeta:depth=3'],
    ['alphabeta:timeMs=1000,depth=9', 'alphabeta:depth=9,timeMs=1000'],
    ['alphabeta:nodes=1e4', 'alphabeta:nodes=10000'],
    ['alphabeta:weights=guessed,depth=2', 'alphabeta:depth=2,weights=guessed'],
    ['solver', 'solver'],
    [
      'mcts',
      'mcts:root=puct,simulations=64,decisiveMoves=true,exploration=1.25,firstPlayReduction=0.25,leaves=1,temperature=0',
    ],
    [
      'mcts:rollouts=2,root=gumbel',
      'mcts:rollouts=2,root=gumbel,simulations=64,decisiveMoves=true,consideredActions=16,valueScale=0.1,rescaleValues=true,maxVisitInit=50,leaves=1,gumbelScale=0',
    ],
    [
      'mcts:timeMs=100',
      'mcts:root=puct,decisiveMoves=true,exploration=1.25,firstPlayReduction=0.25,timeMs=100,leaves=1,temperature=0',
    ],
    [
      'mcts:root=gumbel,nodes=9',
      'mcts:root=gumbel,simulations=64,decisiveMoves=true,consideredActions=16,valueScale=0.1,rescaleValues=true,maxVisitInit=50,nodes=9,leaves=1,gumbelScale=0',
    ],
    [
      'mcts:decisiveMoves=false,simulations=4',
      'mcts:root=puct,simulations=4,decisiveMoves=false,exploration=1.25,firstPlayReduction=0.25,leaves=1,temperature=0',
    ],
    [
      'mcts:simulations=16,root=gumbel,consideredActions=8',
      'mcts:root=gumbel,simulations=16,decisiveMoves=true,consideredActions=8,valueScale=0.1,rescaleValues=true,maxVisitInit=50,leaves=1,gumbelScale=0',
    ],
    [
      'mcts:simulations=8,model=runs/a,b=1/model.onnx'.replace(',b', '%2Cb'),
      'mcts:model=runs/a%2Cb=1/model.onnx,root=puct,simulations=8,decisiveMoves=true,exploration=1.25,firstPlayReduction=0.25,leaves=1,temperature=0',
    ],
    [
      'engine:movetime=5,cmd="sh -c \\"exec x, y\\"",nodes=9',
      'engine:cmd="sh -c \\"exec x, y\\"",nodes=9,timeMs=5,startMs=60000,waitMs=60000',
    ],
    ['engine:cmd=./x%2C y,waitMs=7', 'engine:cmd="./x, y",startMs=60000,waitMs=7'],
    ['policy:model="a, b.onnx"', 'policy:model=a%2C b.onnx'],
    ['alphabeta:network="a, b",depth=2', 'alphabeta:depth=2,network=a%2C b'],
    ['alphabeta:network=2024,depth=2', 'alphabeta:depth=2,network=2024'],
    ['policy:model=C:\\models\\100%25.onnx', 'policy:model=C:\\models\\100%25.onnx'],
  ])('%s is %s in full', (text, full) => {
    expect(formatAgentSpec(parseAgentSpec(text))).toBe(full);
    expect(parseAgentSpec(full)).toEqual(parseAgentSpec(text));
  });

  test.each([
    ['', 'agent-unknown'],
    ['Random', 'agent-unknown'],
    ['toString', 'agent-unknown'],
    ['alpha-beta:depth=2', 'agent-unknown'],
    ['random:', 'agent-syntax'],
    ['alphabeta:depth', 'agent-syntax'],
    ['alphabeta:=3', 'agent-syntax'],
    ['alphabeta:depth=3,depth=4', 'agent-syntax'],
    ['mcts:model=a,b', 'agent-syntax'],
    ['random:seed=1', 'agent-option'],
    ['alphabeta', 'agent-option'],
    ['alphabeta:depth=0', 'agent-option'],
    ['alphabeta:depth=2.5', 'agent-option'],
    ['alphabeta:depth=65', 'agent-option'],
    ['alphabeta:nodes=1e15', 'agent-option'],
    ['alphabeta:timeMs=1e15', 'agent-option'],
    ['mcts:timeMs=1e15', 'agent-option'],
    ['mcts:exploration=1e15', 'agent-option'],
    ['mcts:root=gumbel,maxVisitInit=1e15', 'agent-option'],
    ['engine:cmd="x",nodes=1e15', 'agent-option'],
    ['alphabeta:depth=', 'agent-option'],
    ['alphabeta:depth=0x10', 'agent-option'],
    ['alphabeta:depth=1e999', 'agent-option'],
    ['alphabeta:timeMs=-1', 'agent-option'],
    ['alphabeta:depth=2,weights=very heavy', 'agent-option'],
    ['alphabeta:weights=guessed', 'agent-option'],
    ['solver:depth=2', 'agent-option'],
    ['mcts:simulations=many', 'agent-option'],
    ['mcts:simulation=3', 'agent-option'],
    ['mcts:root=ucb', 'agent-option'],
    ['mcts:root=gumbel,exploration=2', 'agent-option'],
    ['mcts:consideredActions=4', 'agent-option'],
    ['mcts:timeMs=0', 'agent-option'],
    ['mcts:model=a.onnx,rollouts=1', 'agent-option'],
    ['mcts:rollouts=0', 'agent-option'],
    ['mcts:nodes=1.5', 'agent-option'],
    ['mcts:simulations=2000000,timeMs=5', 'agent-option'],
    ['mcts:__proto__=3', 'agent-option'],
    ['policy', 'agent-option'],
    ['policy:model=', 'agent-option'],
  ])("'%s' is refused as %s", (text, code) => {
    expect(codeOf(text)).toBe(code);
  });

  test('the error names the wrong option and what was expected', () => {
    expect(() => parseAgentSpec('mcts:simulations=0,depth=3')).toThrow(/simulations[^]*|depth/);
    expect(() => parseAgentSpec('policy')).toThrow('expected a model, such as gess');
    expect(() => parseAgentSpec('alphabeta:dept=3')).toThrow(/unknown key 'dept'; did you mean 'depth'/);
    expect(() => parseAgentSpec('mcts:root=gumbel,exploration=2')).toThrow(
      "unknown key 'exploration', which applies with root=puct only",
    );
    expect(() => parseAgentSpec('mcts:gumbelScale=1')).toThrow('applies with root=gumbel only');
  });

  test('parsing inverts formatting', () => {
    const numbers = fc.double({ min: 1e-3, max: 50, noNaN: true });
    const specs = fc.oneof(
      fc.record({ kind: fc.constant('policy'), options: fc.record({ model: fc.string({ minLength: 1 }) }) }),
      fc.record({
        kind: fc.constant('mcts'),
        options: fc.record({
          model: fc.string({ minLength: 1 }),
          root: fc.constant('puct'),
          simulations: fc.integer({ min: 1, max: 1e6 }),
          decisiveMoves: fc.boolean(),
          exploration: numbers,
          firstPlayReduction: fc.double({ min: 0, max: 2, noNaN: true }).map(Math.abs),
          nodes: fc.integer({ min: 1 }),
          timeMs: fc.double({ min: 1, max: 1e9, noNaN: true }),
          leaves: fc.integer({ min: 1, max: 64 }),
          temperature: numbers,
        }),
      }),
      fc.record({
        kind: fc.constant('mcts'),
        options: fc.record({
          root: fc.constant('gumbel'),
          simulations: fc.integer({ min: 1, max: 1e6 }),
          decisiveMoves: fc.boolean(),
          consideredActions: fc.integer({ min: 1, max: 1024 }),
          valueScale: numbers,
          rescaleValues: fc.boolean(),
          maxVisitInit: numbers,
          leaves: fc.integer({ min: 1, max: 64 }),
          gumbelScale: numbers,
        }),
      }),
    );
    fc.assert(
      fc.property(specs, (spec) => {
        const text = formatAgentSpec(spec);
        expect(parseAgentSpec(text)).toEqual(spec);
        expect(formatAgentSpec(parseAgentSpec(text))).toBe(text);
      }),
    );
  });

  test('writes -0 as 0', () => {
    expect(parseAgentSpec('mcts:temperature=-0')).toEqual(parseAgentSpec('mcts:temperature=0'));
  });

  test('any text is parsed or refused with a code', () => {
    const pieces = fc.constantFrom(
      'mcts',
      'alphabeta',
      'depth',
      'model',
      ':',
      ',',
      '=',
      '1',
      '%',
      '%2',
      '-',
      ' ',
    );
    const texts = fc.oneof(
      fc.string(),
      fc.array(pieces).map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(texts, (text) => {
        const code = codeOf(text);
        expect(['none', 'agent-syntax', 'agent-unknown', 'agent-option']).toContain(code);
      }),
      { numRuns: 500 },
    );
  });
});

test('the name of an agent is its full text', async () => {
  for (const text of ['random', 'careful', 'greedy', 'alphabeta:depth=2', 'mcts:simulations=4']) {
    const agent = await createAgent(text, connectFour);
    expect(agent.name).toBe(formatAgentSpec(parseAgentSpec(text)));
    await agent.dispose();
  }
});

test('an agent whose model is missing is refused', async () => {
  const text = 'policy:model=no/such.onnx';
  await expect(createAgent(text, connectFour, { openModel: openModelFile })).rejects.toMatchObject({
    code: 'model-missing',
  });
  // Without `openModel` no model can be read.
  await expect(createAgent(text, connectFour)).rejects.toMatchObject({ code: 'model-unreadable' });
});

test("a model's symmetries are the default of searches without a time limit", () => {
  const symmetriesOf = (text: string): unknown => {
    const { options } = parseAgentSpec(text, { symmetries: 2, exploration: 0.7 });
    expect(options).toMatchObject({ exploration: 0.7 });
    return 'symmetries' in options ? options.symmetries : undefined;
  };
  expect(symmetriesOf('mcts:model=a')).toBe(2);
  expect(symmetriesOf('mcts:model=a,nodes=100')).toBe(2);
  expect(symmetriesOf('mcts:model=a,timeMs=100')).toBeUndefined();
  expect(symmetriesOf('mcts:model=a,timeMs=100,symmetries=2')).toBe(2);
});

test('a search with a network and a time limit evaluates four leaves together by default', () => {
  expect(parseAgentSpec('mcts:model=a,timeMs=100')).toMatchObject({ options: { leaves: 4 } });
  expect(parseAgentSpec('mcts:model=a,timeMs=100,leaves=2')).toMatchObject({ options: { leaves: 2 } });
  expect(parseAgentSpec('mcts:model=a,timeMs=100', { leaves: 8 })).toMatchObject({ options: { leaves: 8 } });
  expect(parseAgentSpec('mcts:model=a,nodes=100')).toMatchObject({ options: { leaves: 1 } });
  expect(parseAgentSpec('mcts:timeMs=100')).toMatchObject({ options: { leaves: 1 } });
});

test('a precision is that of a model', () => {
  expect(parseAgentSpec('mcts:model=a,precision=int8')).toMatchObject({ options: { precision: 'int8' } });
  const { options } = parseAgentSpec('mcts:model=a,root=gumbel', {
    precision: 'int8',
    leaves: 2,
    exploration: 0.7,
  });
  expect(options).toMatchObject({ leaves: 2 });
  // It has chosen the file of the model.
  expect(options).not.toHaveProperty('precision');
  expect(() => parseAgentSpec('mcts:precision=int8')).toThrow('expected precision only together with model');
  expect(() => parseAgentSpec('policy:model=a,precision=int4')).toThrow('precision');
});
