/** The nodes of a directed graph that paths from `start` reach, including `start`. */
export function reachableFrom(
  start: number,
  edges: readonly (readonly [from: number, to: number])[],
): ReadonlySet<number> {
  const next = new Map<number, number[]>();
  for (const [from, to] of edges) next.set(from, [...(next.get(from) ?? []), to]);
  const reached = new Set([start]);
  // The loop also visits nodes that are added to the set during it.
  for (const node of reached) for (const to of next.get(node) ?? []) reached.add(to);
  return reached;
}
