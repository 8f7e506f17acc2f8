import * as z from 'zod';

/** A URL of a NATS server. */
export const SERVER_URL = /^(nats|tls):\/\/[^\s/]+\/?$/;
/** A URL of a NATS server for browsers: a word that may stand in a page's Content-Security-Policy. */
export const BROWSER_URL = /^wss?:\/\/(\[[\da-f:.]+\]|[\w.-]+)(:\d{1,5})?\/?$/i;

/** The content of a file with credentials for a pool, which `gess pool init` writes. */
export const TicketFile = z.strictObject({
  ticketVersion: z.literal(1),
  /** Address of the server. */
  url: z.string().regex(SERVER_URL),
  /** Address of the server's listener for browsers, if it has one. */
  browserUrl: z.string().regex(BROWSER_URL).optional(),
  /** Certificate that signed the server's, as PEM; absent without TLS. */
  ca: z.string().optional(),
  /** Secret key of the user. */
  seed: z.string().regex(/^SU[A-Z2-7]{56}$/),
});
export type TicketFile = z.infer<typeof TicketFile>;
