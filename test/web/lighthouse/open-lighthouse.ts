import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

/** A browser that Lighthouse drives. */
export interface DrivenBrowser {
  /** Address of its debugger. */
  wsEndpoint(): string;
  close(): Promise<void>;
}

interface Launcher {
  launch(options: {
    readonly executablePath: string;
    readonly args: readonly string[];
  }): Promise<DrivenBrowser>;
}

/** A category of a report: its score, 0..1, and the audits that it counts. */
interface Category {
  readonly score: number | null;
  readonly auditRefs: readonly { readonly id: string; readonly weight: number }[];
}

/** The part of a report that the test reads. */
export interface LighthouseReport {
  readonly categories: Readonly<Record<string, Category>>;
  readonly audits: Readonly<
    Record<string, { readonly score: number | null; readonly displayValue?: string }>
  >;
}

/** Lighthouse and the driver that it brings. */
export interface Lighthouse {
  readonly launcher: Launcher;
  readonly report: (
    url: string,
    flags: { readonly port: number; readonly onlyCategories: readonly string[] },
  ) => Promise<{ readonly lhr: LighthouseReport } | undefined>;
}

const FOLDER = import.meta.dirname;

/** Path of a module of this folder's own packages; null if they are not installed. */
function pathOf(name: string): string | null {
  try {
    return createRequire(`${FOLDER}/`).resolve(name);
  } catch {
    return null;
  }
}

/** Why there is no Lighthouse; null if it is installed. */
export const missingLighthouse =
  pathOf('lighthouse') === null ? 'no Lighthouse (npm ci --prefix test/web/lighthouse)' : null;

/** Loads Lighthouse from this folder's own packages. */
export async function openLighthouse(): Promise<Lighthouse> {
  const load = async (name: string): Promise<{ default: unknown }> =>
    (await import(pathToFileURL(pathOf(name)!).href)) as { default: unknown };
  const [lighthouse, puppeteer] = await Promise.all([load('lighthouse'), load('puppeteer-core')]);
  return {
    launcher: puppeteer.default as Launcher,
    report: lighthouse.default as Lighthouse['report'],
  };
}
