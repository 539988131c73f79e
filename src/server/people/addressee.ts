/**
 * Recipients who cannot be looked up when their mail is sent, because the person was erased or disabled, or the email was
 * replaced. Email and name wait in the job queue, encrypted with a key that is not in the database.
 */

import { decrypt, encrypt } from '../base/encryption.ts';
import { deriveKey, type Key } from '../base/keys.ts';

/** An email address and the name for the greeting. */
export type Addressee = { to: string; name: string };

const keyFrom = (codeKey: Key) => deriveKey(codeKey, 'addresses on their way');

/** Encrypts a recipient for the job queue, as base64url text. */
export function encryptAddressee({ to, name }: Addressee, codeKey: Key): string {
  return encrypt(keyFrom(codeKey), 'mail', JSON.stringify([to, name])).toString('base64url');
}

/** Decrypts the result of `encryptAddressee`. Throws if the key differs or the text was changed. */
export function decryptAddressee(encrypted: string, codeKey: Key): Addressee {
  const [to, name] = JSON.parse(decrypt(keyFrom(codeKey), 'mail', Buffer.from(encrypted, 'base64url'))) as [
    string,
    string,
  ];
  return { to, name };
}
