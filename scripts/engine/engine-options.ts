import { namesProgram } from '../../agents/agent-spec.js';
import { GAME_IDS } from '../../env/games.js';
import { suggestName } from '../../env/text/nearest-name.js';
import { quote } from '../../env/text/quoted-text.js';
import { EngineError } from './engine-error.js';
import { MAX_LINES, MAX_SEED } from '../../training/play/engines/engine-limits.js';

/** Settings that `setoption` changes. */
export interface EngineSettings {
  game: string;
  rules: string;
  /** The agent's text; undefined: the best for the game. */
  agent: string | undefined;
  /** Greatest number of lines of each search. */
  multiPv: number;
  seed: number;
}

function parseNumber(name: string, value: string, least: number, most: number): number {
  if (/^\d{1,10}$/.test(value) && Number(value) >= least && Number(value) <= most) return Number(value);
  throw new EngineError('engine-option', `expected ${name} from ${least} to ${most}, got ${quote(value)}`);
}

/**
 * @throws AgentError for an invalid text; EngineError `engine-option` for an agent that runs another program: only the
 *   command line may name one, because an engine's input may come from an untrusted source.
 */
export function expectOwnAgent(text: string): void {
  if (!namesProgram(text)) return;
  throw new EngineError(
    'engine-option',
    'expected an agent of this program; only --agent may name another program',
  );
}

/** An option: its declaration in the answer to `uci`, and how it changes the settings. */
interface EngineOption {
  readonly declare: (settings: EngineSettings, agent: string) => string;
  readonly change: (settings: EngineSettings, value: string) => Partial<EngineSettings>;
}

/** The options by name. */
const OPTIONS: Readonly<Record<string, EngineOption>> = {
  Game: {
    declare: ({ game }) => `type combo default ${game}${GAME_IDS.map((id) => ` var ${id}`).join('')}`,
    change: (settings, game) => ({ ...settings, game, rules: 'default', agent: undefined }),
  },
  Rules: {
    declare: ({ rules }) => `type string default ${rules}`,
    change: (_settings, rules) => ({ rules }),
  },
  Agent: {
    declare: (_settings, agent) => `type string default ${agent}`,
    change: (_settings, agent) => {
      expectOwnAgent(agent);
      return { agent };
    },
  },
  MultiPV: {
    declare: ({ multiPv }) => `type spin default ${multiPv} min 1 max ${MAX_LINES}`,
    change: (_settings, value) => ({ multiPv: parseNumber('MultiPV', value, 1, MAX_LINES) }),
  },
  Seed: {
    declare: ({ seed }) => `type spin default ${seed} min 0 max ${MAX_SEED}`,
    change: (_settings, value) => ({ seed: parseNumber('Seed', value, 0, MAX_SEED) }),
  },
};

/** The lines that declare the options. `agent` is the text of the agent in use. */
export function optionLines(settings: EngineSettings, agent: string): readonly string[] {
  return Object.entries(OPTIONS).map(
    ([name, { declare }]) => `option name ${name} ${declare(settings, agent)}`,
  );
}

/**
 * The settings after an option has changed. As in UCI, names are compared without regard to case.
 *
 * @throws EngineError `engine-option`; AgentError for an agent's text.
 */
export function changeOption(settings: EngineSettings, name: string, value: string): EngineSettings {
  const known = Object.keys(OPTIONS).find((option) => option.toLowerCase() === name.toLowerCase());
  if (known === undefined) {
    const names = Object.keys(OPTIONS);
    const found = `${quote(name)}${suggestName(name, names)}`;
    throw new EngineError('engine-option', `expected an option of ${names.join(', ')}; got ${found}`);
  }
  return { ...settings, ...OPTIONS[known]!.change(settings, value) };
}
