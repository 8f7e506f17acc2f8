/** A word for a shell, in single quotes. */
export function quotedWord(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** A word for a shell, in quotes if it needs them. */
export function shellWord(text: string): string {
  return /^[\w./=:,@+-]+$/.test(text) ? text : quotedWord(text);
}
