/** What server and browser exchange in a WebAuthn ceremony, in the JSON form of WebAuthn Level 3. */
import * as z from 'zod/mini';
import * as errorMessages from './messages/errors.ts';

/** The options of a ceremony, which browsers parse themselves. */
export const CeremonyOptions = z.looseObject({ challenge: z.string() });
export type CeremonyOptions = z.output<typeof CeremonyOptions>;

const encoded = z.string({ error: errorMessages.validation }).check(z.regex(/^[\w-]{1,20000}$/));

/** What the browser returns from a ceremony. The WebAuthn library checks the rest. */
export const Credential = z.looseObject({
  id: encoded,
  rawId: encoded,
  type: z.literal('public-key'),
  response: z.looseObject({ clientDataJSON: encoded }),
});
export type Credential = z.output<typeof Credential>;
