import type { Point } from './geometry.js';

/** Sides of squares, in CSS pixels, below which a finger misses them (WCAG 2.2, 2.5.8). */
export const TARGET_PIXELS = 24;
const FACTOR = 2;

/** The enlarged view of a board: with it, a finger hits one square of many. */
export class BoardZoom {
  isOn = $state(false);
  /** The point that stays in its place, in shares of the board's sides. */
  fixed = $state.raw<Point>({ x: 0.5, y: 0.5 });

  /** Of the element that is enlarged. */
  readonly style: string = $derived.by(() => {
    const { x, y } = this.fixed;
    return `transform-origin: ${100 * x}% ${100 * y}%; transform: scale(${this.isOn ? FACTOR : 1})`;
  });

  /** Enlarges the board around a point, given in shares of its sides. */
  enter(at: Point): void {
    this.fixed = at;
    this.isOn = true;
  }

  /** Shows the whole board. */
  leave(): void {
    this.isOn = false;
  }
}
