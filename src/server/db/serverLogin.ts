/**
 * The login of the running server: a PostgreSQL role of its own that owns nothing and is a member of `larkspur_app` alone, so
 * that no statement of the server can change evidence or become the owner. The owner creates one login per database, and closes
 * the database to all other logins, because all banks of a cluster share the group. The login's password is derived from
 * `APP_SECRET`. The time limits and the durability of commits are settings of the role, because a connection pooler may drop
 * start-up options; every new connection is checked for them.
 */
import { createHash, createHmac, hkdfSync, pbkdf2Sync } from 'node:crypto';
import pg from 'pg';
import type { Key } from '../base/keys.ts';
import { SettingsError } from '../config.ts';

export type ServerLogin = { user: string; password: string };

/** The group that the migrations grant privileges to. Roles belong to the whole cluster, so all its banks share this group. */
const group = 'larkspur_app';

/** The settings that every connection of the server must have, with their values as `SHOW` prints them. */
const settings = {
  statement_timeout: '5s',
  lock_timeout: '2s',
  idle_in_transaction_session_timeout: '10s',
  synchronous_commit: 'on',
  TimeZone: 'UTC',
} as const;

/** The SQL function that is true on a standby, which may lack acknowledged commits. In a failover, a proxy may route to one. */
const isStandby = 'pg_is_in_recovery';

/**
 * With these settings, the database notices within eleven seconds that a server is gone, and releases its locks. New
 * connections are not checked for them, because PostgreSQL shows them as 0 on a Unix socket.
 */
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

const toPassword = (key: Uint8Array) => createHmac('sha256', key).update('password').digest('base64url');

/**
 * The password as PostgreSQL stores it (RFC 5803). It is always the same for one secret. It is sent instead of the password, so
 * that the database's log cannot contain the password.
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
  owns_database: boolean;
  owns_schema: boolean;
  is_closed: boolean;
  is_schema_closed: boolean;
  has_group: boolean;
  exists: boolean;
  is_member: boolean;
  has_power: boolean;
  /** What the login owns, for the operator. */
  owned: string | null;
  /** Whether every login may make large objects, and this owner may change that: the functions belong to a superuser. */
  opens_large_objects: boolean;
  config: string[];
};

/**
 * Makes the server's login if it is missing, and returns it. The key is `Secrets.databaseKey`. The caller holds the lock of the
 * migrations. If an existing login has another password, sets it from the key. With `allowsNewSecret: false`, instead returns
 * the login with the password of a former secret, or throws `SettingsError` if none of the key's secrets is right. Throws
 * `SettingsError` with the statements for an administrator of PostgreSQL if the owner may not set up the login, and an error
 * with PostgreSQL's code for a missing privilege if the user does not own the database.
 */
export async function prepareServerLogin(
  owner: pg.PoolClient,
  [{ bytes: key }, ...former]: Key,
  { allowsNewSecret = true }: { allowsNewSecret?: boolean } = {},
): Promise<ServerLogin> {
  const password = toPassword(key);
  const { database } = (await owner.query('SELECT current_database() AS database')).rows[0] as FoundRole;
  const user = loginName(database);
  const found = (await owner.query<FoundRole>(roleQuery, [user, group])).rows[0]!;
  if (found.has_power) {
    const owned = found.owned
      ? ` It owns ${found.owned}. Delete what it owns, or give it to another role.`
      : '';
    throw new SettingsError(
      `The login ${user} of the bank's server must be an ordinary role that owns nothing and is a member of ${group} alone.${owned}`,
    );
  }
  // Refuse here, because PostgreSQL would only warn that the REVOKE had no effect.
  if (!found.is_closed && !found.owns_database)
    throw Object.assign(new Error(`must be owner of database ${database}`), { code: insufficientPrivilege });
  const name = pg.escapeIdentifier(user);
  const setPassword = `ALTER ROLE ${name} PASSWORD ${pg.escapeLiteral(toVerifier(key, password))}`;
  const login = { user, password };
  const isKnown = found.exists && (await canLogIn(owner, login));
  if (found.exists && !isKnown && !allowsNewSecret) {
    // Servers may be running with a former secret: the next start of a server sets the password.
    for (const { bytes } of former) {
      const current = { user, password: toPassword(bytes) };
      if (await canLogIn(owner, current)) return current;
    }
    throw new SettingsError(
      `APP_SECRET is not the secret of this bank: PostgreSQL refuses its password for the login ${user}. Nothing was changed.`,
    );
  }
  const missing = Object.entries({ ...settings, ...keepalives }).filter(
    ([at, value]) => !found.config.includes(`${at}=${value}`),
  );
  const statements = [
    ...(found.has_group ? [] : [`CREATE ROLE ${group} NOLOGIN`]),
    ...(found.exists ? [] : [`CREATE ROLE ${name} LOGIN`]),
    ...(isKnown ? [] : [setPassword]),
    ...(found.is_member ? [] : [`GRANT ${group} TO ${name}`]),
    ...missing.map(([at, value]) => `ALTER ROLE ${name} SET ${at} = '${value}'`),
    ...closingStatements(found, name),
    // A login owns the large objects that it makes. `lo_import` is open to no login.
    ...(found.opens_large_objects
      ? [
          'REVOKE EXECUTE ON FUNCTION lo_create(oid), lo_creat(integer), lo_from_bytea(oid, bytea) FROM PUBLIC',
        ]
      : []),
  ];
  if (statements.length === 0) return login;
  await runAsOwner(owner, found, statements);
  const { is_closed, is_schema_closed } = (await owner.query<FoundRole>(roleQuery, [user, group])).rows[0]!;
  // A REVOKE does not remove a grant by a role other than the owner.
  if (!is_closed || !is_schema_closed) {
    throw new SettingsError(
      `The database ${database} is still open to every login; have an administrator of PostgreSQL end the grants to PUBLIC of CONNECT on the database and of CREATE on the schema public.`,
    );
  }
  if (!(await canLogIn(owner, login))) {
    throw new SettingsError(
      `PostgreSQL refuses the login ${user} of the bank's server: allow it with a password for the database ${database} in pg_hba.conf, and in the list of users of a pooler.`,
    );
  }
  return login;
}

/** The statements that close the database and its schema to the logins of other banks of the cluster. */
function closingStatements(found: FoundRole, login: string): string[] {
  const database = pg.escapeIdentifier(found.database);
  return [
    ...(found.is_closed
      ? []
      : [
          `GRANT CONNECT ON DATABASE ${database} TO ${login}, ${pg.escapeIdentifier(found.owner)}`,
          `REVOKE CONNECT ON DATABASE ${database} FROM PUBLIC`,
        ]),
    // A database upgraded from PostgreSQL 14 lets every login create objects, and the administrator owns its schema.
    ...(found.is_schema_closed
      ? []
      : [
          ...(found.owns_schema ? [] : ['ALTER SCHEMA public OWNER TO pg_database_owner']),
          'REVOKE CREATE ON SCHEMA public FROM PUBLIC',
        ]),
  ];
}

const roleQuery = `
  SELECT current_database() AS database, current_user AS owner,
         (SELECT rolcreaterole FROM pg_roles WHERE rolname = current_user) AS may_create,
         pg_has_role(d.datdba, 'USAGE') AS owns_database, coalesce(pg_has_role(n.nspowner, 'USAGE'), false) AS owns_schema,
         NOT has_database_privilege('public', d.oid, 'CONNECT') AND has_database_privilege(d.oid, 'CONNECT')
           AND coalesce(has_database_privilege(r.oid, d.oid, 'CONNECT'), false) AS is_closed,
         n.oid IS NULL OR (has_schema_privilege(n.oid, 'CREATE') AND NOT has_schema_privilege('public', n.oid, 'CREATE')) AS is_schema_closed,
         to_regrole($2) IS NOT NULL AS has_group, r.oid IS NOT NULL AS exists,
         EXISTS (SELECT FROM pg_auth_members m WHERE m.member = r.oid AND m.roleid = to_regrole($2)) AS is_member,
         coalesce(r.rolsuper OR r.rolcreaterole OR r.rolcreatedb OR r.rolbypassrls OR r.rolreplication, false)
           OR EXISTS (SELECT FROM pg_auth_members m WHERE m.member = r.oid AND m.roleid IS DISTINCT FROM to_regrole($2))
           OR o.objects IS NOT NULL AS has_power,
         array_to_string(o.objects[:5], ', ') AS owned,
         current_setting('is_superuser')::boolean AND has_function_privilege('public', 'lo_create(oid)', 'EXECUTE') AS opens_large_objects,
         coalesce(r.rolconfig, '{}') AS config
    FROM pg_database d LEFT JOIN pg_roles r ON r.rolname = $1 LEFT JOIN pg_namespace n ON n.nspname = 'public',
         LATERAL (SELECT array_agg(CASE WHEN s.dbid IN (0, d.oid) THEN pg_describe_object(s.classid, s.objid, s.objsubid)
                                        ELSE 'an object in the database ' || a.datname END
                                   ORDER BY s.dbid <> d.oid, s.objid) AS objects
                    FROM pg_shdepend s LEFT JOIN pg_database a ON a.oid = s.dbid
                   WHERE s.refclassid = 'pg_authid'::regclass AND s.refobjid = r.oid AND s.deptype = 'o'
                     -- A temporary object ends with its session.
                     AND (s.dbid <> d.oid
                          OR (pg_identify_object(s.classid, s.objid, s.objsubid)).schema ~ '^pg_temp_' IS NOT TRUE)) o
   WHERE d.datname = current_database()`;

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
    const needsRight = !found.may_create && statements.some(statement => / ROLE /.test(statement));
    throw new SettingsError(
      `The user ${found.owner} of DATABASE_URL may not set up the login of the bank's server; ${needsRight ? 'give it the right CREATEROLE, or ' : ''}have an administrator of PostgreSQL run: ${statements.join('; ')};`,
    );
  }
}

const insufficientPrivilege = '42501';
const createGroup = `DO $$ BEGIN CREATE ROLE ${group} NOLOGIN;
  EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$`;

/** Whether the login with this password is accepted. */
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
    // PostgreSQL checks the password first, and then the right to connect.
    if ((error as { code?: string }).code === insufficientPrivilege) return true;
    // Class 28: PostgreSQL refuses the login by its password or by pg_hba.conf. 08P01: a pooler does not know the login.
    if (/^(28|08P01)/.test((error as { code?: string }).code ?? '')) return false;
    throw error;
  } finally {
    await client.end().catch(() => {});
  }
}

/**
 * Turns off just-in-time compilation. PostgreSQL compiles statements whose estimated cost is high, and every estimate is high
 * where `enable_seqscan = off` enforces an index. Compiling the search for a job took 0.2 s of processor time; the search
 * itself takes less than a millisecond.
 */
const compileNothing = "set_config('jit', 'off', false)";

/** Throws unless this new connection has the login, its rights and its settings. Turns compiling off. */
export async function checkConnection(client: pg.ClientBase, { user }: ServerLogin): Promise<void> {
  const wanted = { session_user: user, current_user: user, [isStandby]: 'false', ...settings };
  const names = Object.keys(settings);
  const { rows } = await client.query({
    text: `SELECT session_user, current_user, ${isStandby}()::text, ${names.map(name => `current_setting('${name}') AS "${name}"`).join(', ')}, ${compileNothing}`,
    query_timeout: checkTimeoutMs,
  } as pg.QueryConfig);
  const found = rows[0] as Record<string, string>;
  const wrong = Object.entries(wanted).filter(([name, value]) => found[name] !== value);
  if (wrong.length === 0) return;
  const list = wrong.map(([name, value]) => `${name} is ${found[name]} instead of ${value}`).join(', ');
  throw Object.assign(new Error(`A connection to the database is not as the bank needs it: ${list}.`), {
    code: unsafeConnection,
  });
}
