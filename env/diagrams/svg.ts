/** Attributes of an element; values are escaped. */
type Attributes = Readonly<Record<string, string | number>>;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes text for an element or an attribute of XML; drops characters that XML does not allow. */
export function escapeXml(text: string): string {
  return (
    text
      // XML 1.0, section 2.2: no control characters but tab and line ends, no halves of surrogate pairs.
      .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '')
      .replace(/[&<>"']/g, (character) => ENTITIES[character]!)
  );
}

/** An element; `content` is its children, already escaped. Without content the tag is self-closing. */
export function svgElement(name: string, attributes: Attributes, ...content: readonly string[]): string {
  const pairs = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeXml(String(value))}"`);
  const inside = content.join('');
  const start = `<${name}${pairs.join('')}`;
  return inside === '' ? `${start}/>` : `${start}>${inside}</${name}>`;
}

/** A `text` element. */
export function svgText(text: string, attributes: Attributes): string {
  return svgElement('text', attributes, escapeXml(text));
}

/** The size of a document, in its own units, and its title. */
export interface SvgFrame {
  readonly width: number;
  readonly height: number;
  readonly title: string;
}

/** A self-contained document: `content` over a white background, one element a line. */
export function svgDocument({ width, height, title }: SvgFrame, content: readonly string[]): string {
  const ground = svgElement('rect', { width, height, fill: '#fff' });
  const lines = [svgElement('title', {}, escapeXml(title)), ground, ...content];
  const attributes = {
    xmlns: 'http://www.w3.org/2000/svg',
    viewBox: `0 0 ${width} ${height}`,
    width,
    height,
    role: 'img',
    'font-family': 'Helvetica, Arial, sans-serif',
  };
  return `${svgElement('svg', attributes, '\n', lines.join('\n'), '\n')}\n`;
}
