import type { Ink } from './terminal-colors.js';

/** Looks of text that mean the same everywhere. */
export const TITLE: Ink = { bold: true };
export const FAINT: Ink = { dim: true };
export const GOOD: Ink = { foreground: '#15803d', bold: true };
export const ALARM: Ink = { foreground: '#c81e1e', bold: true };
