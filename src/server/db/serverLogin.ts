/**
 * The login of the running server: a PostgreSQL role of its own that owns nothing and is a member of `larkspur_app` alone, so
 * that no statement of the server can change evidence or become the owner. The owner makes it, one per database. Its password
 * is derived from `APP_SECRET`. Its time limits and its durability are settings of the role, because a connection pooler may
 * drop start-up options; every new connection is checked for them.
 */
import { createHash, createHmac, hkdfSync, pbkdf2Sync } from 'node:crypto';
import pg from 'pg';
import { SettingsError } from '../config.ts';

export type ServerLogin = { user: string; password: string };

/** The group that the migrations grant privileges to. Roles belong to the whole cluster, so all its banks share this group. */
const group = 'larkspur_app';

/** What every connection of the server must have, as `SHOW` prints it. */
const settings = {
  statement_timeout: '5s',
  lock_timeout: '2s',
  idle_in_transaction_session_timeout: '10s',
  synchronous_commit: 'on',
  TimeZone: 'UTC',
} as const;

/** The database notices within eleven seconds that a server has gone, and releases its locks. A socket file shows them as 0. */
const keepalives = {
  tcp_keepalives_idle: '5',
  tcp_keepalives_interval: '2',
  tcp_keepalives_count: '3',
} as const;

/** The `code` of the error for a connection that lacks the login or its settings. */
export const unsafeConnection = 'UNSAFE_CONNECTION';

const checkTimeoutMs = 3_000;
const scramIterations = 4_096;
const maxNameBytes = 63;

/** The name of a database's login; PostgreSQL would cut a longer name. */
function loginName(database: string): string {
  const name = `larkspur_server_${database}`;
  if (Buffer.byteLength(name) <= maxNameBytes) return name;
  return `larkspur_server_${createHash('sha256').update(database).digest('hex').slice(0, 32)}`;
}

/**
 * The password as PostgreSQL stores it (RFC 5803). Always the same for one secret, and sent instead of the password, so that
 * the database's log cannot contain the password.
 */
function toVerifier(key: Uint8Array, password: string): string {
  const salt = Buffer.from(hkdfSync('sha256', key, 'larkspur-bank', 'scram salt', 16));
  const salted = pbkdf2Sync(password, salt, scramIterations, 32, 'sha256');
  const sign = (text: string) => createHmac('sha256', salted).update(text).digest();
  const storedKey = createHash('sha256').update(sign('Client Key')).digest('base64');
  return `SCRAM-SHA-256$${scramIterations}:${salt.toString('base64')}$${storedKey}:${sign('Server Key').toString('base64')}`;
}

type FoundRole = {
  database: string;
  owner: string;
  may_create: boolean;
  has_group: boolean;
  exists: boolean;
  is_member: boolean;
  has_power: boolean;
  config: string[];
};

/**
 * Makes the server's login where it is missing and returns it. `key` is `Secrets.databaseKey`. The caller holds the lock of the
 * migrations. Throws `SettingsError` with the statements for an administrator of PostgreSQL if the owner may not do it.
 */
export async function prepareServerLogin(owner: pg.PoolClient, key: Uint8Array): Promise<ServerLogin> {
  const password = createHmac('sha256', key).update('password').digest('base64url');
  const { database } = (await owner.query('SELECT current_database() AS database')).rows[0] as FoundRole;
  const user = loginName(database);
  const found = (await owner.query<FoundRole>(roleQuery, [user, group])).rows[0]!;
  if (found.has_power) {
    throw new SettingsError(
      `The login ${user} of the bank's server must be an ordinary role that owns nothing and is a member of ${group} alone.`,
    );
  }
  const name = pg.escapeIdentifier(user);
  const setPassword = `ALTER ROLE ${name} PASSWORD ${pg.escapeLiteral(toVerifier(key, password))}`;
  const login = { user, password };
  const isKnown = found.exists && (await canLogIn(owner, login));
  const missing = Object.entries({ ...settings, ...keepalives }).filter(
    ([at, value]) => !found.config.includes(`${at}=${value}`),
  );
  const statements = [
    ...(found.has_group ? [] : [`CREATE ROLE ${group} NOLOGIN`]),
    ...(found.exists ? [] : [`CREATE ROLE ${name} LOGIN`]),
    ...(isKnown ? [] : [setPassword]),
    ...(found.is_member ? [] : [`GRANT ${group} TO ${name}`]),
    ...missing.map(([at, value]) => `ALTER ROLE ${name} SET ${at} = '${value}'`),
  ];
  if (statements.length === 0) return login;
  await runAsOwner(owner, found, statements);
  if (!(await canLogIn(owner, login))) {
    throw new SettingsError(
      `PostgreSQL refuses the login ${user} of the bank's server: allow it with a password for the database ${database} in pg_hba.conf, and in the list of users of a pooler.`,
    );
  }
  return login;
}

const roleQuery = `
  SELECT current_database() AS database, current_user AS owner,
         (SELECT rolcreaterole FROM pg_roles WHERE rolname = current_user) AS may_create, to_regrole($2) IS NOT NULL AS has_group, r.oid IS NOT NULL AS exists,
         EXISTS (SELECT FROM pg_auth_members m WHERE m.member = r.oid AND m.roleid = to_regrole($2)) AS is_member,
         coalesce(r.rolsuper OR r.rolcreaterole OR r.rolcreatedb OR r.rolbypassrls OR r.rolreplication, false)
           OR EXISTS (SELECT FROM pg_auth_members m WHERE m.member = r.oid AND m.roleid IS DISTINCT FROM to_regrole($2))
           OR EXISTS (SELECT FROM pg_shdepend d WHERE d.refclassid = 'pg_authid'::regclass AND d.refobjid = r.oid AND d.deptype = 'o')
           AS has_power,
         coalesce(r.rolconfig, '{}') AS config
    FROM (VALUES (1)) one LEFT JOIN pg_roles r ON r.rolname = $1`;

/** Runs the statements, or names all of them to the operator if the owner may not run one. */
async function runAsOwner(owner: pg.PoolClient, found: FoundRole, statements: string[]): Promise<void> {
  await owner.query('BEGIN');
  try {
    for (const statement of statements) {
      // Another bank of this cluster may be creating the group at the same moment.
      const isGroup = statement.startsWith(`CREATE ROLE ${group} `);
      await owner.query(isGroup ? createGroup : statement);
    }
    await owner.query('COMMIT');
  } catch (error) {
    await owner.query('ROLLBACK');
    if ((error as { code?: string }).code !== insufficientPrivilege) throw error;
    throw new SettingsError(
      `The user ${found.owner} of DATABASE_URL may not make the login of the bank's server; ${found.may_create ? '' : 'give it the right CREATEROLE, or '}have an administrator of PostgreSQL run: ${statements.join('; ')};`,
    );
  }
}

const insufficientPrivilege = '42501';
const createGroup = `DO $$ BEGIN CREATE ROLE ${group} NOLOGIN;
  EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$`;

/** Whether the login with this password is accepted and has its settings. */
async function canLogIn(owner: pg.PoolClient, login: ServerLogin): Promise<boolean> {
  const { host, port, database, ssl } = owner as pg.PoolClient & pg.ClientConfig;
  const client = new pg.Client({
    host,
    port,
    database,
    ssl,
    ...login,
    connectionTimeoutMillis: checkTimeoutMs,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    return true;
  } catch (error) {
    // Class 28: the password or pg_hba.conf refuses it. 08P01: a pooler does not know it.
    if (/^(28|08P01)/.test((error as { code?: string }).code ?? '')) return false;
    throw error;
  } finally {
    await client.end().catch(() => {});
  }
}

/** Throws unless this new connection has the login, its rights and its settings. */
export async function checkConnection(client: pg.ClientBase, { user }: ServerLogin): Promise<void> {
  const wanted: Record<string, string> = { session_user: user, current_user: user, ...settings };
  const names = Object.keys(settings);
  const { rows } = await client.query({
    text: `SELECT session_user, current_user, ${names.map(name => `current_setting('${name}') AS "${name}"`).join(', ')}`,
    query_timeout: checkTimeoutMs,
  } as pg.QueryConfig);
  const found = rows[0] as Record<string, string>;
  const wrong = Object.keys(wanted).filter(name => found[name] !== wanted[name]);
  if (wrong.length === 0) return;
  const list = wrong.map(name => `${name} is ${found[name]} instead of ${wanted[name]}`).join(', ');
  throw Object.assign(new Error(`A connection to the database is not as the bank needs it: ${list}.`), {
    code: unsafeConnection,
  });
}
