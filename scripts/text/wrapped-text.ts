/** Breaks a text into lines of at most `columns`, between words where it can. Continued lines begin with `indent`. */
export function wrapText(text: string, columns: number, indent = ''): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const joined = line === '' ? `${lines.length > 0 ? indent : ''}${word}` : `${line} ${word}`;
    if (joined.length <= columns || line === '') line = joined;
    else {
      lines.push(line);
      line = `${indent}${word}`;
    }
    for (; line.length > columns; line = `${indent}${line.slice(columns)}`)
      lines.push(line.slice(0, columns));
  }
  return [...lines, line];
}
