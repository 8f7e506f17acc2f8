import type { PackedError } from './packed-error.js';

/** A message to a process: a request, or a ping. */
export type MessageToProcess<Request> = { readonly request: Request } | 'ping';

/** A message from a process: that it responds, a note on the request in progress, or its answer or failure. */
export type MessageFromProcess<Answer, Note> =
  'pong' | { readonly note: Note } | { readonly answer: Answer } | { readonly failure: PackedError };
