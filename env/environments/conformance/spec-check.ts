import type { EnvSpec } from '../env-spec.js';
import { EnvError } from '../../errors.js';
import { makeFromSpec, readEnvSpec } from '../make.js';
import { firstDifference } from './difference.js';
import { type EnvRun, playTwins } from './env-run.js';
import { agentSubject, type Subject, turnSubject } from './subject.js';

/** Makes the environment of a spec; null if the spec is not enough. */
function makeSubject(spec: EnvSpec): Subject | null {
  // Mode `human` would write to the terminal.
  if (spec.renderMode === 'human') return null;
  try {
    const env = makeFromSpec(readEnvSpec(spec));
    return 'agents' in env ? turnSubject(env) : agentSubject(env);
  } catch (error) {
    // A wrapper with a function among its options.
    if (error instanceof EnvError && error.code === 'wrapper-function') return null;
    throw error;
  }
}

/**
 * Checks that the spec, sent through JSON, makes an environment with an equal spec, equal spaces and equal
 * play.
 */
export function checkSpec(run: EnvRun, makeSpec: (spec: EnvSpec) => Subject | null = makeSubject): void {
  const { create, list } = run;
  const code = 'spec-differs';
  const expected = create();
  const { spec, metadata, renderMode } = expected.env;
  if (spec === null) {
    list.skip('spec: the environment has none');
    return;
  }
  const read = JSON.parse(JSON.stringify(spec)) as EnvSpec;
  list.expectSame(code, firstDifference(spec, read, ['spec']));
  if (read.id.replace(/-v\d+$/, '') !== metadata.name || read.renderMode !== renderMode) {
    list.end(
      code,
      `expected ${metadata.name} in mode ${renderMode ?? 'null'}, got ${read.id} in ${read.renderMode ?? 'null'}`,
    );
  }
  const found = makeSpec(read);
  if (found === null) {
    list.skip('spec: needs makeSpec, because of a function of a wrapper or mode human');
    return;
  }
  list.expectSame(code, firstDifference(found.env.spec, read, ['spec']));
  playTwins(run, { found, expected, code });
  const spaces = [found, expected].map((subject) => {
    subject.reset({ seed: run.seed });
    return [subject.observationSpace(), subject.actionSpace()].map(String);
  });
  list.expectSame(code, firstDifference(spaces[0], spaces[1], ['spaces']));
}
