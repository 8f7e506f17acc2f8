/** How the page looks and behaves, kept in the browser. */
export interface SettingValues {
  readonly theme: 'system' | 'light' | 'dark';
  readonly hasSound: boolean;
  readonly hasCoordinates: boolean;
  /** Whether the pieces are hidden: the game is played blind. */
  readonly isBlind: boolean;
  /** Whether a finger enlarges small squares before it chooses one. */
  readonly zooms: boolean;
  /** Whether a move waits for a confirmation: on screens with small squares, or in any case. */
  readonly confirms: 'small' | 'always' | 'never';
}

const DEFAULTS: SettingValues = {
  theme: 'system',
  hasSound: false,
  hasCoordinates: true,
  isBlind: false,
  zooms: true,
  confirms: 'small',
};

/** As in `look/Stage.svelte`. */
const SMALL_SCREEN = '(max-width: 55rem)';
/** Most columns of a board whose squares a finger can hit on a small screen. */
const COLUMNS_FOR_FINGERS = 8;

const KEY = 'gess-settings';
const CHOICES: Readonly<Record<keyof SettingValues, readonly unknown[]>> = {
  theme: ['system', 'light', 'dark'],
  hasSound: [true, false],
  hasCoordinates: [true, false],
  isBlind: [true, false],
  zooms: [true, false],
  confirms: ['small', 'always', 'never'],
};

/** The settings in a text, `theme=dark&hasSound=true`; the default for each that is missing or unknown. */
function parseSettings(text: string | null): SettingValues {
  const found = new URLSearchParams(text ?? '');
  const known = Object.entries(CHOICES).flatMap(([name, choices]) =>
    choices.filter((choice) => String(choice) === found.get(name)).map((choice) => [name, choice] as const),
  );
  return { ...DEFAULTS, ...Object.fromEntries(known) };
}

/** The text of settings: `parseSettings` returns equal ones. */
function formatSettings(values: SettingValues): string {
  return new URLSearchParams(Object.entries(values).map(([name, value]) => [name, String(value)])).toString();
}

/** The settings of this browser. */
export class Settings {
  values = $state.raw<SettingValues>(DEFAULTS);
  private isSmall = $state(false);

  /** Reads what the browser kept. */
  constructor() {
    try {
      this.values = parseSettings(localStorage.getItem(KEY));
    } catch {
      // A browser may refuse to store anything.
    }
    const small = matchMedia(SMALL_SCREEN);
    const look = (): void => {
      this.isSmall = small.matches;
    };
    look();
    small.addEventListener('change', look);
  }

  /** Whether a move on a board of this width waits for a confirmation. */
  needsConfirm(columns: number): boolean {
    const { confirms } = this.values;
    return confirms === 'always' || (confirms === 'small' && this.isSmall && columns > COLUMNS_FOR_FINGERS);
  }

  /** Changes some settings, and stores all. */
  change(changes: Partial<SettingValues>): void {
    this.values = { ...this.values, ...changes };
    try {
      localStorage.setItem(KEY, formatSettings(this.values));
    } catch {
      // As above.
    }
  }
}
