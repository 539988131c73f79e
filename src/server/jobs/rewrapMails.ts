/**
 * After a rotation of the secret, re-encrypts the codes and recipients in waiting mail jobs with the current version of the
 * secret.
 */
import type pg from 'pg';
import { isCurrent } from '../base/encryption.ts';
import type { Key } from '../base/keys.ts';
import { decryptAddressee, encryptAddressee } from '../people/addressee.ts';
import { decryptCode, encryptCode } from '../people/codes.ts';

type Queries = Pick<pg.Pool, 'query'>;
type Waiting = { id: string; payload: { encryptedCode?: string; encryptedAddressee?: string } };

async function listFormer(owner: Queries, codeKey: Key): Promise<Waiting[]> {
  const { rows } = await owner.query<Waiting>(
    `SELECT id::text, payload FROM graphile_worker._private_jobs
      WHERE payload::jsonb ?| ARRAY['encryptedCode', 'encryptedAddressee']`,
  );
  return rows.filter(({ payload: { encryptedCode, encryptedAddressee } }) =>
    [encryptedCode, encryptedAddressee].some(
      text => text !== undefined && !isCurrent(codeKey, Buffer.from(text, 'base64url')),
    ),
  );
}

/** How many waiting mails contain a code or recipient encrypted with a former version of the secret. */
export const countFormerMails = async (owner: Queries, codeKey: Key): Promise<number> =>
  (await listFormer(owner, codeKey)).length;

/** Encrypts the codes and recipients of waiting mails with the current version. Needs the rights of the database's owner. */
export async function encryptMailsAgain(owner: Queries, codeKey: Key): Promise<void> {
  for (const { id, payload } of await listFormer(owner, codeKey)) {
    const { encryptedCode, encryptedAddressee } = payload;
    const renewed = {
      ...(encryptedCode !== undefined && {
        encryptedCode: encryptCode(decryptCode(encryptedCode, codeKey), codeKey),
      }),
      ...(encryptedAddressee !== undefined && {
        encryptedAddressee: encryptAddressee(decryptAddressee(encryptedAddressee, codeKey), codeKey),
      }),
    };
    await owner.query(
      'UPDATE graphile_worker._private_jobs SET payload = (payload::jsonb || $2::jsonb)::json WHERE id = $1',
      [id, JSON.stringify(renewed)],
    );
  }
}
