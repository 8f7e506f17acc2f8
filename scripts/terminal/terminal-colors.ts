import styles from 'ansi-styles';
import type { ColorDepth } from './color-depth.js';

/** Colours of a text as `#rrggbb`; absent ones are the terminal's defaults. */
export interface Ink {
  readonly foreground?: string | undefined;
  readonly background?: string | undefined;
  readonly bold?: boolean;
  readonly dim?: boolean;
}

/** The colour between two, `share` 0 to 1 of the way from `from` to `to`; all `#rrggbb`. */
export function blend(from: string, to: string, share: number): string {
  const [a, b] = [styles.hexToRgb(from), styles.hexToRgb(to)];
  const mixed = a.map((part, i) => Math.round(part + (b[i]! - part) * share));
  return `#${mixed.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

/** Brightness of the six steps of each channel in the colour cube of 256 colours, as in xterm. */
const CUBE_STEPS = [0, 95, 135, 175, 215, 255];

/** The nearest of the cube's colours, 16 to 231. */
function cubeColor(color: string): number {
  const nearest = styles.hexToRgb(color).map((part) => {
    const distances = CUBE_STEPS.map((step) => Math.abs(step - part));
    return distances.indexOf(Math.min(...distances));
  });
  return nearest.reduce((sum, step) => 6 * sum + step, 0) + 16;
}

function codes(kind: 'color' | 'bgColor', color: string, depth: ColorDepth): string {
  if (depth === 24) return styles[kind].ansi16m(...styles.hexToRgb(color));
  if (depth === 8) return styles[kind].ansi256(cubeColor(color));
  return styles[kind].ansi(styles.hexToAnsi(color));
}

/** The text in colours, in the nearest ones that the terminal has; unchanged without colours. */
export function inkText(text: string, { foreground, background, bold, dim }: Ink, depth: ColorDepth): string {
  if (depth === 1 || text === '') return text;
  const open = [
    bold === true ? styles.bold.open : '',
    dim === true ? styles.dim.open : '',
    foreground === undefined ? '' : codes('color', foreground, depth),
    background === undefined ? '' : codes('bgColor', background, depth),
  ].join('');
  return open === '' ? text : `${open}${text}${styles.reset.open}`;
}
