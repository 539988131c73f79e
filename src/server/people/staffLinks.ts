/**
 * One-time links with which an administrator sets a password, after an invitation or a reset. An administrator has at most one
 * link. It works once and expires. The link contains the row's id with a keyed hash (HMAC).
 */
import { sql } from 'kysely';
import { staff } from '#contract/constants.ts';
import { deriveKey, hmac, isHmac, type Key } from '../base/keys.ts';
import { newId } from '../base/uuid.ts';
import type { Reader, Tx } from '../db/database.ts';

const linkKey = (codeKey: Key) => deriveKey(codeKey, 'links that set a password');

/** Replaces the administrator's link with a new one and returns its id. */
export async function issueLink(tx: Tx, adminId: string): Promise<string> {
  const id = newId();
  await sql`
    INSERT INTO admin_links (admin_id, id, expires_at)
    VALUES (${adminId}, ${id}, now() + make_interval(hours => ${staff.linkHours}))
        ON CONFLICT (admin_id) DO UPDATE SET id = excluded.id, expires_at = excluded.expires_at`.execute(tx);
  return id;
}

/** The token that the mail contains. */
export const makeLinkToken = (linkId: string, codeKey: Key): string =>
  `${linkId}.${hmac(linkKey(codeKey), linkId).toString('base64url')}`;

/** The active administrator whose link has this token; undefined if the link was used or replaced, expired, or is forged. */
export async function findLinkOwner(
  reader: Reader,
  token: string,
  codeKey: Key,
): Promise<{ adminId: string; linkId: string } | undefined> {
  const [linkId = '', signature = ''] = token.split('.');
  if (!isHmac(linkKey(codeKey), linkId, Buffer.from(signature, 'base64url'))) return undefined;
  const found = await sql<{ adminId: string; linkId: string }>`
    SELECT l.admin_id AS "adminId", l.id AS "linkId" FROM admin_links l JOIN admins a ON a.id = l.admin_id
     WHERE l.id = ${linkId} AND l.expires_at > now() AND a.disabled_at IS NULL`.execute(reader);
  return found.rows[0];
}

/** Uses a link up. Returns false if it was used, replaced or has expired in the meantime. */
export async function redeemLink(tx: Tx, linkId: string): Promise<boolean> {
  const used = await sql`DELETE FROM admin_links WHERE id = ${linkId} AND expires_at > now()`.execute(tx);
  return used.numAffectedRows === 1n;
}

/** Voids an administrator's link, if there is one. */
export async function voidLink(tx: Tx, adminId: string): Promise<void> {
  await sql`DELETE FROM admin_links WHERE admin_id = ${adminId}`.execute(tx);
}
