import { join } from 'node:path';
import ts from 'typescript';

/** Checks the types of one changed file at a time; the rest of the program is parsed and checked once. */
export class TypeChecker {
  private readonly root: string;
  private readonly service: ts.LanguageService;
  private changed = { path: '', text: '', version: 0 };

  /** @param files the roots of the program, as paths from the folder of `tsconfig.json`. */
  constructor(root: string, files: readonly string[]) {
    this.root = root;
    const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), (path) => ts.sys.readFile(path)) as {
      config: unknown;
    };
    const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
    this.service = ts.createLanguageService({
      // Ignores names that are unused only because of the fault.
      getCompilationSettings: () => ({ ...options, noUnusedLocals: false, noUnusedParameters: false }),
      getScriptFileNames: () => files.map((file) => join(root, file)),
      getScriptVersion: (path) => (path === this.changed.path ? String(this.changed.version) : '0'),
      getScriptSnapshot: (path) => {
        const text = path === this.changed.path ? this.changed.text : ts.sys.readFile(path);
        return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
      },
      getCurrentDirectory: () => root,
      getDefaultLibFileName: (settings) => ts.getDefaultLibFilePath(settings),
      fileExists: (path) => ts.sys.fileExists(path),
      readFile: (path) => ts.sys.readFile(path),
    });
  }

  /** Type errors of `file` with the content `text`, one a line. */
  errorsOf(file: string, text: string): string[] {
    const path = join(this.root, file);
    this.changed = { path, text, version: this.changed.version + 1 };
    return [...this.service.getSyntacticDiagnostics(path), ...this.service.getSemanticDiagnostics(path)].map(
      ({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'),
    );
  }
}
