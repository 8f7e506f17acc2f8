const ENTITY = '&(?:amp|lt|gt|quot|#39);';
const ATTRIBUTE = new RegExp(`\\s+([a-zA-Z-]+)="((?:[^<&"]|${ENTITY})*)"`, 'g');

function checkText(text: string, isInside: boolean): void {
  if (text.replaceAll(new RegExp(ENTITY, 'g'), '').includes('&'))
    throw new Error(`bare ampersand in '${text}'`);
  if (!isInside && text.trim() !== '') throw new Error(`text outside the root: '${text}'`);
}

function checkAttributes(attributes: string): void {
  const keys = Array.from(attributes.matchAll(ATTRIBUTE), ([, key]) => key);
  if (attributes.replace(ATTRIBUTE, '') !== '') throw new Error(`not attributes: '${attributes}'`);
  if (new Set(keys).size !== keys.length) throw new Error(`an attribute twice in '${attributes}'`);
}

/**
 * Checks that `xml` is well-formed, for documents without comments, processing instructions and CDATA: one
 * root, closed tags, quoted and unique attributes, ampersands only in entities.
 *
 * @returns the names of the elements, in order.
 * @throws Error otherwise.
 */
export function checkWellFormed(xml: string): string[] {
  const names: string[] = [];
  const open: string[] = [];
  const parts = /([^<]*)(?:<(\/?)([a-zA-Z]+)((?:\s+[a-zA-Z-]+="[^"<]*")*)\s*(\/?)>|$)/y;
  while (parts.lastIndex < xml.length) {
    const at = parts.lastIndex;
    const [, text, slash, name, attributes = '', end] = parts.exec(xml) ?? [];
    if (text === undefined) throw new Error(`not a tag: '${xml.slice(at, at + 80)}'`);
    checkText(text, open.length > 0);
    if (name === undefined) break;
    checkAttributes(attributes);
    if (slash === '/') {
      if (open.pop() !== name) throw new Error(`</${name}> closes nothing`);
      continue;
    }
    if (open.length === 0 && names.length > 0) throw new Error('two roots');
    names.push(name);
    if (end !== '/') open.push(name);
  }
  if (open.length > 0) throw new Error(`not closed: ${open.join(' ')}`);
  return names;
}
