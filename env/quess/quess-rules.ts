import { NotationError } from '../errors.js';
import { suggestName } from '../text/nearest-name.js';
import { quote } from '../text/quoted-text.js';

/** The options of the rules of Quess (docs/reference/rules-quess.md, Q6). */
export interface QuessRules {
  /** Each player's time for the whole game in seconds, an integer; null: no clock. */
  readonly clockSeconds: number | null;
}

/** One day, whose milliseconds fit well into 32 bits. */
export const MAX_CLOCK_SECONDS = 86_400;

function parseClock(value: string, text: string): number | null {
  if (value === 'none') return null;
  if (/^[1-9]\d{0,4}$/.test(value) && Number(value) <= MAX_CLOCK_SECONDS) return Number(value);
  throw new NotationError(
    'rules-unknown',
    `expected clock=none or whole seconds 1 to ${MAX_CLOCK_SECONDS}, got ${quote(text)}`,
  );
}

/**
 * Parses `standard[,clock=SECONDS]`. The clock defaults to `none`; `default` is `standard`.
 *
 * @throws NotationError `rules-unknown`.
 */
export function parseRules(text: string): QuessRules {
  const [name, ...settings] = text.split(',');
  if (name !== 'standard' && name !== 'default') {
    throw new NotationError(
      'rules-unknown',
      `expected rules named standard, got ${quote(name ?? '')}${suggestName(name ?? '', ['standard'])}`,
    );
  }
  const [setting, ...others] = settings;
  if (setting === undefined) return { clockSeconds: null };
  if (others.length > 0 || !setting.startsWith('clock=')) {
    throw new NotationError('rules-unknown', `expected standard[,clock=SECONDS], got ${quote(text)}`);
  }
  return { clockSeconds: parseClock(setting.slice('clock='.length), text) };
}

/** The canonical text: `standard`, or `standard,clock=180`. */
export function formatRules({ clockSeconds }: QuessRules): string {
  return clockSeconds === null ? 'standard' : `standard,clock=${clockSeconds}`;
}
