import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const PAGE = join(resolve(import.meta.dirname, '..', '..', '..'), 'docs', 'reference', 'json-output.md');

/** A table of docs/reference/json-output.md: the fields of one kind of object. */
export interface FieldTable {
  /** The commands that print it, and the heading below them, if there is one: `perft`, `analyze: A game`. */
  readonly place: string;
  /** The field that holds the object, or a list of such objects; null for the printed object itself. */
  readonly within: string | null;
  readonly required: readonly string[];
  /** Fields that are absent where they do not apply. */
  readonly optional: readonly string[];
}

/** The commands of a heading such as `gess data merge, gess data split`. */
function commandsOf(heading: string): readonly string[] {
  return heading.split(', ').map((name) => name.replace(/^gess /, ''));
}

/** The names of the fields in the rows of a table, by whether a row begins with "optional". */
function fieldsOf(rows: string): Pick<FieldTable, 'required' | 'optional'> {
  const fields = { required: [] as string[], optional: [] as string[] };
  for (const [, names, meaning] of rows.matchAll(/^\| (.*?) \| (.*) \|$/gm)) {
    const list = meaning!.startsWith('optional') ? fields.optional : fields.required;
    list.push(...Array.from(names!.matchAll(/`([^`]+)`/g), ([, name]) => name!));
  }
  return fields;
}

/** The tables in a section of the page, whose first line is its heading. */
function tablesOf(section: string): readonly FieldTable[] {
  const name = commandsOf(section.slice(0, section.indexOf('\n'))).join(', ');
  const [own = '', ...parts] = section.split(/^### /m);
  return [own, ...parts].flatMap((part, index) => {
    const place = index === 0 ? name : `${name}: ${part.slice(0, part.indexOf('\n'))}`;
    const tables = part.matchAll(
      /^\| (?:field|in `([^`]+)`) \| meaning \|\n\| --- \| --- \|\n((?:\|.*\n)*)/gm,
    );
    return Array.from(tables, ([, within = null, rows]) => ({ place, within, ...fieldsOf(rows!) }));
  });
}

/** The page's sections, each from its heading on, without the marks of the heading. */
function sections(): readonly string[] {
  return readFileSync(PAGE, 'utf8').split(/^## /m).slice(1);
}

/** The commands that have a section, in the order of the page. */
export function documentedCommands(): readonly string[] {
  return sections().flatMap((section) => commandsOf(section.slice(0, section.indexOf('\n'))));
}

/** All tables of fields, in the order of the page. */
export function fieldTables(): readonly FieldTable[] {
  return sections().flatMap(tablesOf);
}

/** The objects in a field of objects: the field itself, or the elements of a list. */
function objectsWithin(objects: readonly object[], field: string | null): readonly object[] {
  if (field === null) return objects;
  return objects.flatMap((object) => {
    const value = (object as Readonly<Record<string, unknown>>)[field];
    const found: readonly unknown[] = Array.isArray(value) ? value : [value];
    return found.filter((each): each is object => typeof each === 'object' && each !== null);
  });
}

/**
 * Compares printed objects with a table: fields that the table lacks, required fields that an object lacks, and fields
 * that no object has.
 */
export function tableFaults(
  { within, required, optional }: FieldTable,
  printed: readonly object[],
): readonly string[] {
  const objects = objectsWithin(printed, within);
  const documented = [...required, ...optional];
  const found = new Set(objects.flatMap(Object.keys));
  const name = (field: string): string => (within === null ? field : `${within}.${field}`);
  return [
    ...[...found]
      .filter((field) => !documented.includes(field))
      .map((field) => `${name(field)}: undocumented`),
    ...required
      .filter((field) => found.has(field) && objects.some((object) => !Object.hasOwn(object, field)))
      .map((field) => `${name(field)}: not marked as optional`),
    ...documented.filter((field) => !found.has(field)).map((field) => `${name(field)}: not printed`),
  ];
}
