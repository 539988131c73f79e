/**
 * Which secrets (APP_SECRET) this database depends on. A server or command that lacks a secret that is still needed is refused
 * before it changes anything.
 */
import type pg from 'pg';
import { SettingsError } from '../config.ts';

type Queries = Pick<pg.ClientBase, 'query'>;

/** Whether this database has the list of secrets. Before its first migration, it does not. */
async function isListed(owner: Queries): Promise<boolean> {
  const { rows } = await owner.query("SELECT to_regclass('app_secrets') IS NOT NULL AS exists");
  return (rows[0] as { exists: boolean }).exists;
}

/** Throws `SettingsError` unless `given` has the ids of all secrets that the bank still needs. */
export async function refuseMissingSecret(owner: Queries, given: readonly string[]): Promise<void> {
  if (!(await isListed(owner))) return;
  const missing = await owner.query<{ id: string }>(
    'SELECT key_id AS id FROM app_secrets WHERE released_at IS NULL AND key_id <> ALL ($1) ORDER BY first_used_at',
    [given],
  );
  const [first] = missing.rows;
  if (!first) return;
  throw new SettingsError(
    `APP_SECRET is not the secret of this bank: the bank still needs the secret with the id ${first.id}, and the given one has the id ${given[0]}. After a rotation, give the former secret in APP_SECRET_PREVIOUS until npm run secrets -- rewrap is done. Nothing was changed.`,
  );
}

/**
 * For commands: throws `SettingsError` if servers have started, but none with this secret. Those servers could not read what
 * the command encrypts.
 */
export async function refuseUnusedSecret(owner: Queries, id: string): Promise<void> {
  const known = (await isListed(owner)) ? await listSecrets(owner) : [];
  if (known.length === 0 || known.some(secret => secret.id === id)) return;
  throw new SettingsError(
    `No server has started with the secret ${id} yet. Restart every server with it first: a server without it could not read what this command encrypts. Nothing was changed.`,
  );
}

/** Records that a server started with this secret. If the secret was recorded as not needed, it is needed again. */
export async function recordSecret(owner: Queries, id: string): Promise<void> {
  await owner.query(
    `INSERT INTO app_secrets (key_id) VALUES ($1)
     ON CONFLICT (key_id) DO UPDATE SET released_at = NULL WHERE app_secrets.released_at IS NOT NULL`,
    [id],
  );
}

export type KnownSecret = { id: string; firstUsedAt: Date; isReleased: boolean };

/** Every secret with which a server of this bank has started, the newest first. */
export async function listSecrets(owner: Queries): Promise<KnownSecret[]> {
  const { rows } = await owner.query<KnownSecret>(
    `SELECT key_id AS id, first_used_at AS "firstUsedAt", released_at IS NOT NULL AS "isReleased"
       FROM app_secrets ORDER BY first_used_at DESC`,
  );
  return rows;
}

/** Records that nothing needs the former secrets anymore. Returns whether one was needed before. */
export async function releaseFormer(owner: Queries, current: string): Promise<boolean> {
  const released = await owner.query(
    'UPDATE app_secrets SET released_at = now() WHERE key_id <> $1 AND released_at IS NULL',
    [current],
  );
  return (released.rowCount ?? 0) > 0;
}
