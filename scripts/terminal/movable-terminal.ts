/** Whether a stream is a terminal whose cursor can be moved. */
export function isMovable(stream: { readonly isTTY?: boolean }, env: NodeJS.ProcessEnv): boolean {
  return stream.isTTY === true && env['TERM'] !== 'dumb';
}
