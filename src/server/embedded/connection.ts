/** Checks the embedded database over SQL: whether it answers, whether it is ours, and whether it has our database. */
import { randomUUID } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { DATABASE, type Place, readPassword } from './cluster.ts';

/** The connection settings, in the shape that `pg` accepts. `host`: the directory of the socket. */
export type Connection = { host: string; port: number; user: string; password: string; database: string };

/** The superuser's password differs from the one in the secret file. */
export class WrongPassword extends Error {
  override readonly message = 'The database refuses the password in the secrets of its data directory.';
}

/** Returns the connection settings for the database behind this socket. */
export function connectionTo(place: Place, at: { port: number; socketDir: string }): Connection {
  const password = readPassword(place) ?? '';
  return { host: at.socketDir, port: at.port, user: DATABASE, password, database: DATABASE };
}

/** Tries to connect once. Creates the product's database if the cluster has none. Throws WrongPassword. */
export async function connects(connection: Connection): Promise<boolean> {
  try {
    await query(connection, 'SELECT 1');
    return true;
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === '28P01' || code === '28000') throw new WrongPassword();
    if (code === '3D000') return createDatabase(connection);
    return false;
  }
}

/**
 * Whether the server reads this data directory. The pid file of a copied directory names the server of the original, so the
 * server must read a file that was just written here.
 */
export async function readsHere(place: Place, connection: Connection): Promise<boolean> {
  const path = join(place.clusterDir, 'larkspur.probe');
  const secret = randomUUID();
  writeFileSync(path, secret, { mode: 0o644 });
  try {
    const [row] = await query(connection, "SELECT pg_read_file('larkspur.probe', true) AS text");
    return row?.text === secret;
  } finally {
    rmSync(path, { force: true });
  }
}

/**
 * Keeps the details of errors, which can contain customer data, out of PostgreSQL's log. The setting belongs to the database,
 * so that it applies to every login. A failed start is not a session and still logs everything. Databases made by version 1.0.0
 * have the setting for their owner alone. Called by the owner of the data directory.
 */
export async function logNoDetails(connection: Connection): Promise<void> {
  const set = await query(
    connection,
    `SELECT FROM pg_db_role_setting JOIN pg_database d ON d.oid = setdatabase
      WHERE setrole = 0 AND datname = current_database() AND 'log_error_verbosity=terse' = ANY (setconfig)`,
  );
  if (set.length === 0) await query(connection, `ALTER DATABASE ${DATABASE} SET log_error_verbosity = terse`);
}

async function createDatabase(connection: Connection): Promise<boolean> {
  const cluster = { ...connection, database: 'postgres' };
  try {
    await query(cluster, `CREATE DATABASE ${DATABASE}`);
  } catch (error) {
    // Another process created it at the same time.
    if (!['42P04', '23505'].includes((error as { code?: string }).code ?? '')) throw error;
  }
  return true;
}

async function query(connection: Connection, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: 5_000, query_timeout: 30_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    return (await client.query(sql)).rows;
  } finally {
    await client.end().catch(() => {});
  }
}
