/**
 * Where a mail goes that is sent after its person was erased. Such an address waits in the job queue sealed, so that the
 * database alone does not know it any more.
 */
import { hkdfSync } from 'node:crypto';
import { seal, unseal } from './sealing.ts';

/** An e-mail address and the name to greet with. */
export type Addressee = { to: string; name: string };

const keyFrom = (codeKey: Uint8Array) =>
  new Uint8Array(hkdfSync('sha256', codeKey, 'larkspur-bank', 'addresses on their way', 32));

/** An addressee as it may wait in the job queue, as text. */
export function sealAddressee({ to, name }: Addressee, codeKey: Uint8Array): string {
  return seal(keyFrom(codeKey), 'mail', JSON.stringify([to, name])).toString('base64url');
}

/** The addressee of `sealAddressee`. Throws where it was made with another key or changed. */
export function openAddressee(sealed: string, codeKey: Uint8Array): Addressee {
  const [to, name] = JSON.parse(unseal(keyFrom(codeKey), 'mail', Buffer.from(sealed, 'base64url'))) as [
    string,
    string,
  ];
  return { to, name };
}
