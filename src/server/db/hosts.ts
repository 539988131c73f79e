/**
 * The hosts of the database. With several hosts in `DATABASE_URL`, every connection goes to the primary, the host that accepts
 * writes. After a connection failed, broke or timed out, the next one looks for the primary again, and connections to a former
 * primary are closed.
 */
import pg from 'pg';
import { parseIntoClientConfig } from 'pg-connection-string';
import { SettingsError } from '../config.ts';

export type Host = { host: string; port: number };
/** PostgreSQL's settings as an object; `hosts` if there are several. */
export type Connection = pg.PoolConfig & { hosts?: readonly Host[] | undefined };

/** The `code` of the error while no host is the primary, as during a failover. */
export const noPrimary = 'NO_PRIMARY';

/** The time limit of each of the two steps of `probe`, which together take less than the connection timeout. */
const probeMs = 1_200;
const defaultPort = 5432;
/** The accepted values of libpq's `target_session_attrs`. With each of them, the bank connects to the primary. */
const accepted = ['read-write', 'primary', 'any'];

/** Parses a `connectionString`, because `pg` would let it override the user and password of a login. */
export function toConnection({ connectionString, ...rest }: pg.PoolConfig): Connection {
  if (connectionString === undefined) return rest;
  const [, start = '', list = '', end = ''] =
    /^(\w+:\/\/(?:[^/?#]*@)?)([^/?#@]*,[^/?#@]*)([/?#].*)?$/s.exec(connectionString) ?? [];
  const hosts = list === '' ? [] : list.split(',').map(toHost);
  const wanted = /[?&]target_session_attrs=([^&#]*)/.exec(connectionString)?.[1];
  if (wanted !== undefined && !accepted.includes(wanted))
    throw new SettingsError(
      `DATABASE_URL has target_session_attrs=${wanted}, but the bank needs the primary: write read-write.`,
    );
  try {
    const parsed = parseIntoClientConfig(
      hosts.length === 0 ? connectionString : `${start}${list.split(',')[0]}${end}`,
    );
    return { ...rest, ...parsed, ...(hosts.length > 0 && { hosts }) };
  } catch (error) {
    // The address contains a password, so the error does not repeat it.
    const reason =
      (error as { code?: string }).code === 'ERR_INVALID_URL' ? '' : ` (${(error as Error).message})`;
    throw new SettingsError(
      `DATABASE_URL is not an address such as postgres://user:password@host:5432/bank${reason}.`,
    );
  }
}

function toHost(text: string): Host {
  const [, ipv6, name, port] = /^(?:\[(.+)\]|([^:]+))(?::(\d+))?$/.exec(text) ?? [];
  const host = ipv6 ?? name;
  if (host === undefined)
    throw new SettingsError('DATABASE_URL has an empty or invalid host in its list of hosts.');
  return { host: decodeURIComponent(host), port: Number(port ?? defaultPort) };
}

/**
 * Clients in whose session the server refused a write. Such a session stays read-only even if an administrator makes the
 * database writable again.
 */
export const readOnlyClients = new WeakSet<pg.ClientBase>();
const readOnly = '25006';

/**
 * A connection that is closed waits this long for the database to close its end. If the database's machine has lost its power,
 * TCP alone would wait for a quarter of an hour.
 */
const endWithinMs = 2_000;

/** Fields of `pg.Client` that its types do not declare. */
type Internals = { host: string; port: number; connection: { stream: { destroy(): void } } };

/**
 * Returns the class for all connections to this database. A connection is closed when a query on it times out: the query's
 * answer may come later, or never.
 */
export function clientClass(
  { hosts = [], ...connection }: Connection,
  login: pg.ClientConfig = {},
): typeof pg.Client {
  const open = new Set<Internals>();
  let primary: Host | undefined;
  let search: Promise<Host> | undefined;
  /**
   * The timeline of the last primary that was found. A host on an earlier timeline is a former primary. It lacks commits, so it
   * is not used, even if no other host answers.
   */
  let timeline = 0;

  const isAt = (client: Internals, { host, port }: Host) => client.host === host && client.port === port;

  const find = async (): Promise<Host> => {
    const answers = await Promise.allSettled(hosts.map(host => probe({ ...connection, ...login, ...host })));
    const found = hosts
      .flatMap((host, i) => {
        const answer = answers[i]!;
        return answer.status === 'fulfilled' && answer.value !== undefined && answer.value >= timeline
          ? { host, timeline: answer.value }
          : [];
      })
      // A former primary that was suspended still reports itself as the primary. The new one is on a later timeline.
      .sort((a, b) => b.timeline - a.timeline)[0];
    if (!found) {
      const reasons = answers.map((answer, i) => {
        const { host, port } = hosts[i]!;
        if (answer.status === 'fulfilled')
          return `${host}:${port}: ${answer.value === undefined ? 'a standby' : 'a former primary'}`;
        // The code is included, so that a primary without a free connection (53300) is not mistaken for a dead one.
        const { code = '', message } = answer.reason as { code?: string; message: string };
        return `${host}:${port}: ${code} ${message}`;
      });
      throw Object.assign(new Error(`none of the hosts is the primary (${reasons.join('; ')})`), {
        code: noPrimary,
      });
    }
    for (const client of open) if (!isAt(client, found.host)) client.connection.stream.destroy();
    timeline = found.timeline;
    primary = found.host;
    return primary;
  };

  return class extends pg.Client {
    constructor(config?: string | pg.ClientConfig) {
      super(config);
      const own = this as unknown as Internals;
      const forgetPrimary = () => this.forgetPrimary();
      this.on('error', forgetPrimary);
      this.on('end', () => open.delete(own));
      const query = this.query.bind(this) as (...given: unknown[]) => unknown;
      this.query = ((...given: unknown[]) => {
        const handleError = (error: Error | null) => {
          if ((error as { code?: string } | null)?.code === readOnly) readOnlyClients.add(this);
          if (error?.message !== 'Query read timeout') return;
          forgetPrimary();
          own.connection.stream.destroy();
        };
        const last = given.at(-1);
        // The pool passes a callback.
        if (typeof last === 'function')
          return query(...given.slice(0, -1), (error: Error | null, result: unknown) => {
            handleError(error);
            last(error, result);
          });
        const answer = query(...given);
        if (answer instanceof Promise) answer.catch(handleError);
        return answer;
      }) as typeof this.query;
      const end = this.end.bind(this) as (...given: unknown[]) => unknown;
      this.end = ((...given: unknown[]) => {
        const cut = setTimeout(() => own.connection.stream.destroy(), endWithinMs).unref();
        this.once('end', () => clearTimeout(cut));
        return end(...given);
      }) as typeof this.end;
      this.connect = ((callback?: (error: Error | null) => void) => {
        const connected = this.connectToPrimary();
        if (!callback) return connected;
        connected.then(() => callback(null), callback);
        return undefined;
      }) as typeof this.connect;
    }

    /** Makes the next connection look for the primary again, if this connection was to the primary. */
    private forgetPrimary(): void {
      const own = this as unknown as Internals;
      open.delete(own);
      if (primary && isAt(own, primary)) primary = undefined;
    }

    private async connectToPrimary(): Promise<this> {
      const own = this as unknown as Internals;
      try {
        if (hosts.length > 0) {
          // If no connection is open, none could have reported a failover, so look for the primary again.
          const isKnown = primary !== undefined && open.size > 0;
          if (!isKnown) search ??= find().finally(() => (search = undefined));
          Object.assign(own, isKnown ? primary : await search);
        }
        await super.connect();
        open.add(own);
        return this;
      } catch (error) {
        this.forgetPrimary();
        throw error;
      }
    }
  };
}

/** The timeline of a primary, or undefined for a standby. */
async function probe(config: pg.ClientConfig): Promise<number | undefined> {
  const client = new pg.Client({ ...config, connectionTimeoutMillis: probeMs, query_timeout: probeMs });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ timeline: number | null }>(
      `SELECT CASE WHEN NOT pg_is_in_recovery()
                   THEN ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int END AS timeline`,
    );
    return rows[0]!.timeline ?? undefined;
  } finally {
    client.end().catch(() => {});
  }
}
