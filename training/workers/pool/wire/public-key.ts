import * as z from 'zod';

/**
 * The public key of a member. Those of users in NATS begin with U and have 56 characters of base32: a byte for the
 * kind, 32 of the key, 2 of a checksum.
 */
export const PublicKey = z.string().regex(/^U[A-Z2-7]{55}$/);
