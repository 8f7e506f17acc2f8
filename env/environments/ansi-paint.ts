import styles from 'ansi-styles';
import type { MarkKind, Paint } from '../game.js';

const STYLES: Readonly<Record<MarkKind, { readonly open: string; readonly close: string }>> = {
  first: styles.cyan,
  second: styles.yellow,
  ring: styles.magenta,
  'last-move': styles.green,
  choice: styles.red,
};

/**
 * Paints for a terminal with at least 16 colours. Callers must check whether the terminal supports them.
 */
export const ansiPaint: Paint = (kind, text) => STYLES[kind].open + text + STYLES[kind].close;
