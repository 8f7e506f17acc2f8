/** Types for the parts of @sabaki/sgf 3.4 that `data/records/sgf-tree.ts` uses; the package has none. */
declare module '@sabaki/sgf' {
  interface Token {
    readonly type: 'parenthesis' | 'semicolon' | 'prop_ident' | 'c_value_type' | 'invalid';
    readonly value: string;
    /** From 0. */
    readonly row: number;
    /** From 0. */
    readonly col: number;
  }

  interface Node {
    readonly id: number;
    /** Values, unescaped, by property. */
    readonly data: Readonly<Record<string, readonly string[]>>;
    readonly children: readonly Node[];
  }

  const sgf: {
    tokenizeIter(contents: string): Iterable<Token>;
    /** Recursive in the depth of parentheses. */
    parseTokens(tokens: Iterable<Token>, options: { getId: () => number }): readonly Node[];
    /** Recursive in the depth of the tree. */
    stringify(node: Pick<Node, 'data' | 'children'>, options: { linebreak: string }): string;
  };
  export default sgf;
  export type { Node, Token };
}
