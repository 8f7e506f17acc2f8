import styles from 'ansi-styles';
import type { MarkKind, Paint } from '../game.js';

const STYLES: Readonly<Record<MarkKind, { readonly open: string; readonly close: string }>> = {
  first: styles.cyan,
  second: styles.yellow,
  ring: styles.magenta,
  'last-move': styles.green,
  choice: styles.red,
};

/** Colours for a terminal that has at least 16. Whether one has is for the program to find out. */
export const ansiPaint: Paint = (kind, text) => STYLES[kind].open + text + STYLES[kind].close;
