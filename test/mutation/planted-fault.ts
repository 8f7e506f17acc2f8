/** One rule broken in one file of an engine, or of tree search: `find` stands in the file once and is replaced. */
export interface PlantedFault {
  /** What the faulty engine does. */
  readonly name: string;
  /** The paragraph that it breaks, of docs/rules.md, with a Q of docs/rules-quess.md, with an M of docs/search.md. */
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

/** The faults of one file, without naming it in each. */
export function faultsIn(file: string, faults: readonly Omit<PlantedFault, 'file'>[]): PlantedFault[] {
  return faults.map((fault) => ({ file, ...fault }));
}

/**
 * The text of the fault's file with the fault in it.
 *
 * @throws Error if `find` does not stand in it exactly once, or is replaced by itself: the table is stale then.
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
