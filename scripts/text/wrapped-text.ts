/**
 * Breaks a text into lines of at most `columns`, between words where it can. Continued lines begin with `indent`, if
 * there is room for more.
 */
export function wrapText(text: string, columns: number, indent = ''): readonly string[] {
  const width = Math.max(1, columns);
  const margin = indent.length < width ? indent : '';
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const joined = line === '' ? `${lines.length > 0 ? margin : ''}${word}` : `${line} ${word}`;
    if (joined.length <= width || line === '') line = joined;
    else {
      lines.push(line);
      line = `${margin}${word}`;
    }
    for (; line.length > width; line = `${margin}${line.slice(width)}`) lines.push(line.slice(0, width));
  }
  return [...lines, line];
}
