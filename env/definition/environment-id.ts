/** The parts of an id, as in Gymnasium. */
export interface EnvId {
  /** `gess`; null if absent. */
  readonly namespace: string | null;
  readonly name: string;
  /** Null if absent. */
  readonly version: number | null;
}

const ID = /^(?:([\w:-]+)\/)?([\w:.-]+?)(?:-v(\d+))?$/;

/** The parts of `[namespace/]name[-vVERSION]`; null for another text. */
export function environmentIdOf(text: string): EnvId | null {
  const [, namespace, name, version] = ID.exec(text) ?? [];
  if (name === undefined) return null;
  return { namespace: namespace ?? null, name, version: version === undefined ? null : Number(version) };
}

/** Inverse of `environmentIdOf`, except that a version has no leading zeros. */
export function formatEnvId({ namespace, name, version }: EnvId): string {
  return `${namespace === null ? '' : `${namespace}/`}${name}${version === null ? '' : `-v${version}`}`;
}
