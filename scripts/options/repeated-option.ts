/** Parses an option that may be repeated: appends the value to those before. */
export function collect(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text];
}
