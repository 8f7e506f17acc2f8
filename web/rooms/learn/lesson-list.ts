import address from 'virtual:lessons';

/** A step of the lessons: words beside a position to try. */
export interface Lesson {
  readonly title: string;
  readonly text: string;
  /** The exercise for the board. */
  readonly task: string;
  /** Text of the position. */
  readonly position: string;
  /** Centre of the piece that is chosen at the beginning. */
  readonly piece?: string;
}

/** Loads the lessons, in the order in which they are taught. */
export async function loadLessons(): Promise<readonly Lesson[]> {
  const response = await fetch(address);
  return (await response.json()) as readonly Lesson[];
}
