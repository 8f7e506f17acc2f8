import { parseJsonText } from '../../env/text/json-text.js';

/** How the page looks and behaves, kept in the browser. */
export interface SettingValues {
  readonly theme: 'system' | 'light' | 'dark';
  readonly hasSound: boolean;
  readonly hasCoordinates: boolean;
  /** Whether a move waits for a confirmation: on screens with small squares, or in any case. */
  readonly confirms: 'small' | 'always' | 'never';
}

const DEFAULTS: SettingValues = {
  theme: 'system',
  hasSound: false,
  hasCoordinates: true,
  confirms: 'small',
};

const KEY = 'gess-settings';
const CHOICES: Readonly<Record<keyof SettingValues, readonly unknown[]>> = {
  theme: ['system', 'light', 'dark'],
  hasSound: [true, false],
  hasCoordinates: [true, false],
  confirms: ['small', 'always', 'never'],
};

/** The settings in a text; the default for each that is missing or unknown. */
export function parseSettings(text: string | null): SettingValues {
  let found: unknown;
  try {
    found = parseJsonText(text ?? '{}');
  } catch {
    found = {};
  }
  const values = (typeof found === 'object' && found !== null ? found : {}) as Record<string, unknown>;
  const known = Object.entries(CHOICES).filter(([name, choices]) => choices.includes(values[name]));
  return { ...DEFAULTS, ...Object.fromEntries(known.map(([name]) => [name, values[name]])) };
}

/** The settings of this browser. */
export class Settings {
  values = $state.raw<SettingValues>(DEFAULTS);

  /** Reads what the browser kept. */
  constructor() {
    try {
      this.values = parseSettings(localStorage.getItem(KEY));
    } catch {
      // A browser may refuse to keep anything.
    }
  }

  /** Changes some, and keeps them. */
  change(changes: Partial<SettingValues>): void {
    this.values = { ...this.values, ...changes };
    try {
      localStorage.setItem(KEY, JSON.stringify(this.values));
    } catch {
      // As above.
    }
  }
}
