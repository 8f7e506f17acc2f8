/** The message of whatever was thrown. */
export function errorText(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
