/**
 * One rule broken in one file of an engine, or of tree search: `find`, which must occur once in the file, is
 * replaced.
 */
export interface PlantedFault {
  /** The behaviour of the faulty engine. */
  readonly name: string;
  /**
   * The paragraph that it breaks: of docs/reference/rules.md, with a Q of docs/reference/rules-quess.md, with an M of
   * docs/explanation/search.md.
   */
  readonly rule: string;
  /** Path from the project's root. */
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}

/** `gess`, `quess` or `mcts`: the folder of its layer that the fault is in. */
export function engineOf({ file }: PlantedFault): string {
  return file.split('/')[1]!;
}

/** Adds the file to each of its faults. */
export function faultsIn(file: string, faults: readonly Omit<PlantedFault, 'file'>[]): PlantedFault[] {
  return faults.map((fault) => ({ file, ...fault }));
}

/**
 * The text of the fault's file with the fault in it.
 *
 * @throws Error if `find` does not occur exactly once or equals `replace`: the table is then stale.
 */
export function plantFault({ name, file, find, replace }: PlantedFault, source: string): string {
  const pieces = source.split(find);
  if (pieces.length !== 2 || find === replace) {
    throw new Error(
      `fault '${name}': expected its text once in ${file}, found it ${pieces.length - 1} times`,
    );
  }
  return pieces.join(replace);
}
