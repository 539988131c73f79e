/** Connections over TCP to a PostgreSQL with certificates and a standby, directly and through a pooler. */
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createConnection, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { testAppSecret } from '../../../tests/cluster.ts';
import { cloneDatabase, testSecrets } from '../../../tests/database.ts';
import { openFaultyProxy } from '../../../tests/faultyProxy.ts';
import {
  asSuperuser,
  giveToPostgres,
  hasInstalledPostgres,
  type InstalledPostgres,
  startPgBouncer,
  startPostgres,
} from '../../../tests/installedPostgres.ts';
import { seedCustomers } from '../../../tests/seedCustomers.ts';
import { eventually, waitLimitMs } from '../../../tests/waiting.ts';
import { openBank } from '../bank.ts';
import { withDeadline } from '../base/deadline.ts';
import { newId } from '../base/uuid.ts';
import { readConfig, SettingsError } from '../config.ts';
import { type Database, isLost, openDatabase } from './database.ts';
import { toConnection } from './hosts.ts';
import { openServerDatabase, refuseUnfitDatabase } from './migrate.ts';
import { unsafeConnection } from './serverLogin.ts';

test('a request is asked to wait, not failed, if the database’s backlog is full or the server has no free port or file descriptor [C-42]', () => {
  for (const code of ['EAGAIN', 'EADDRNOTAVAIL', 'EMFILE', 'ENFILE'])
    expect(isLost(Object.assign(new Error(`connect ${code}`), { code })), code).toBe(true);
});

test('DATABASE_URL can list hosts; if it asks for a standby or is malformed, it is refused without showing its password [RC-81]', () => {
  const listed = toConnection({
    connectionString: 'postgres://larry:p%40ss@a:5433,[::1]:6000,c/bank?target_session_attrs=read-write',
  });
  expect(listed).toMatchObject({ user: 'larry', password: 'p@ss', database: 'bank', host: 'a', port: 5433 });
  expect(listed.hosts).toEqual([
    { host: 'a', port: 5433 },
    { host: '::1', port: 6000 },
    { host: 'c', port: 5432 },
  ]);
  expect(toConnection({ connectionString: 'postgres://larry@a/bank' }).hosts).toBeUndefined();
  const one = toConnection({ connectionString: 'postgres://larry:open,sesame@a/bank' });
  expect(one).toMatchObject({ password: 'open,sesame', host: 'a' });
  expect(one.hosts).toBeUndefined();
  for (const url of [
    'postgres://larry:sesame@a,b/bank?target_session_attrs=standby',
    'postgres://larry:sesame@a,,b/bank',
    'postgres://larry:sesame@a:port/bank',
    'postgres://larry:sesame@a/bank?sslmode=verify-full&sslrootcert=/no/such/file',
  ]) {
    const open = () => toConnection({ connectionString: url });
    expect(open, url).toThrow(SettingsError);
    expect(open, url).not.toThrow(/sesame/);
  }
});

test('if none of the hosts can be used, the error has the code of each refusal [RC-81]', async () => {
  const proxy = await openFaultyProxy(inject('connection'), () => undefined);
  const hosts = `${proxy.host}:${proxy.port},127.0.0.1:1`;
  const { user, password } = inject('connection');
  const login = `${user}:${encodeURIComponent(password)}`;
  const database = openDatabase({ connectionString: `postgres://${login}@${hosts}/no_such_database` });
  await expect(database.pool.query('SELECT 1')).rejects.toThrow(
    /: 3D000 database "no_such_database" does not exist; 127\.0\.0\.1:1: ECONNREFUSED /,
  );
  await database.close();
  await proxy.close();
});

test('a start waits while the database accepts no writes, as when a load balancer still routes to a standby [RC-84]', async () => {
  const standby = { ...inject('connection'), options: '-c default_transaction_read_only=on' };
  await expect(refuseUnfitDatabase(standby)).rejects.toThrow('cannot be used: it accepts no writes');
  const onWaiting = (sentence: string) => {
    throw new Error(sentence);
  };
  await expect(refuseUnfitDatabase(standby, { waitMs: waitLimitMs, onWaiting })).rejects.toThrow(
    'The database is not ready (it accepts no writes, as a standby does); trying again.',
  );
});

test('a start waits for a database that does not answer yet, says so, and gives up after its deadline [RC-84]', async () => {
  let isUp = false;
  const proxy = await openFaultyProxy(inject('connection'), () =>
    isUp ? undefined : { direction: 'toServer', at: 0, act: 'cut' },
  );
  const through = { ...inject('connection'), host: proxy.host, port: proxy.port };
  await expect(refuseUnfitDatabase(through)).rejects.toThrow('cannot be used: Connection terminated');
  const reports: string[] = [];
  const onWaiting = (sentence: string) => {
    reports.push(sentence);
    isUp = true;
  };
  // When the PostgreSQL of the tests answers, the start refuses it because it runs with fsync=off.
  await expect(refuseUnfitDatabase(through, { waitMs: waitLimitMs, onWaiting })).rejects.toThrow('fsync=off');
  expect(reports).toEqual(['The database is not ready (Connection terminated unexpectedly); trying again.']);
  await proxy.close();
});

test('a start whose connection breaks while it prepares the database says so and tries again [RC-84]', async () => {
  const { connection, drop } = await cloneDatabase();
  let connections = 0;
  const proxy = await openFaultyProxy(connection, () =>
    connections++ === 0 ? { direction: 'toServer', at: 0, act: 'cut' } : undefined,
  );
  const through = { ...connection, host: proxy.host, port: proxy.port };
  const reports: string[] = [];
  const bank = await openServerDatabase(through, testSecrets, sentence => reports.push(sentence));
  expect(reports).toEqual(['The database is not ready (Connection terminated unexpectedly); trying again.']);
  await bank.close();
  await proxy.close();
  await drop();
});

test('a connection is closed within seconds if the machine of the database has vanished without closing its end [RC-85]', async () => {
  const { host, port, ...connection } = inject('connection');
  const sockets: Socket[] = [];
  // Like a machine without power, this one never closes its end.
  const vanishing = createServer({ allowHalfOpen: true }, client => {
    const upstream = createConnection(join(host!, `.s.PGSQL.${port}`));
    client.pipe(upstream).pipe(client, { end: false });
    sockets.push(client);
  });
  await new Promise<void>(resolve => vanishing.listen(0, '127.0.0.1', resolve));
  const address = vanishing.address() as AddressInfo;
  const database = openDatabase({ ...connection, host: address.address, port: address.port });
  const client = await database.connect('test');
  const ending = client.end().then(() => true);
  const isEnded = await withDeadline(ending, 20_000, () => false);
  for (const socket of sockets) socket.destroy();
  vanishing.close();
  await database.close();
  expect(isEnded).toBe(true);
});

describe.skipIf(!hasInstalledPostgres)('a PostgreSQL of Debian', () => {
  const folder = mkdtempSync(join(tmpdir(), 'larkspur-hosts-'));
  const owner = { user: 'bank', password: 'owner', database: 'bank' };
  const ca = join(folder, 'ca.crt');
  const credit = { sessionId: null, amountCents: 100n, description: '', address: '::1' };
  const otherCa = join(folder, 'other.crt');
  let primary: InstalledPostgres;
  let standby: InstalledPostgres;
  const urlOf = (hosts: string, authority = ca) =>
    `postgres://${owner.user}:${owner.password}@${hosts}/bank?sslmode=verify-full&sslrootcert=${authority}`;
  const at = ({ port }: { port: number }) => `127.0.0.1:${port}`;
  const portOf = async ({ pool }: Database) =>
    (await pool.query<{ port: number }>('SELECT inet_server_port() AS port')).rows[0]!.port;

  beforeAll(async () => {
    chmodSync(folder, 0o755);
    giveToPostgres(folder);
    makeCertificate(folder, 'server', 'IP:127.0.0.1');
    makeCertificate(folder, 'other', 'IP:127.0.0.1');
    copyFileSync(join(folder, 'server.crt'), ca);
    primary = await startPostgres(folder);
    await asSuperuser(
      primary.port,
      `CREATE ROLE ${owner.user} LOGIN CREATEROLE PASSWORD '${owner.password}'`,
      `CREATE DATABASE ${owner.database} OWNER ${owner.user}`,
    );
  });
  afterAll(async () => {
    await Promise.all([primary?.stop(), standby?.stop()]);
    rmSync(folder, { recursive: true, force: true });
  });

  test('a connection with verify-full is encrypted, and refused with another name, another authority or no TLS [RC-82]', async () => {
    const open = async (connection: pg.PoolConfig): Promise<unknown> => {
      const database = openDatabase(connection, { size: 1 });
      const found = await database.pool
        .query('SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()')
        .then(
          ({ rows }) => rows[0] as unknown,
          (error: unknown) => error,
        );
      await database.close();
      return found;
    };
    expect(await open({ connectionString: urlOf(at(primary)) })).toEqual({ ssl: true });
    const withoutTls = await openFaultyProxy(inject('connection'), () => undefined);
    for (const url of [
      urlOf(`localhost:${primary.port}`),
      urlOf(at(primary), otherCa),
      urlOf(at(withoutTls)),
    ]) {
      const error = await open({ connectionString: url });
      expect(error, url).toBeInstanceOf(Error);
      // The error counts as a lost connection: with an expired certificate, requests fail as busy, not as unexpected errors.
      expect(isLost(error), String(error)).toBe(true);
      await expect(refuseUnfitDatabase({ connectionString: url }), url).rejects.toThrow(/cannot be used/);
    }
    await withoutTls.close();
  });

  test('a bank works through PgBouncer in session mode, and says why it cannot in transaction mode [RC-83]', async () => {
    const direct = await openServerDatabase({ connectionString: urlOf(at(primary)) }, testSecrets);
    const { user } = direct.pool.options as { user: string };
    await direct.close();
    const [verifier] = await asSuperuser(
      primary.port,
      `SELECT rolpassword AS value FROM pg_authid WHERE rolname = '${user}'`,
    );
    const users = { [owner.user]: owner.password, [user]: verifier! };
    const session = await startPgBouncer(folder, primary, 'session', users);
    const through = (port: number): pg.PoolConfig => ({ ...owner, host: '127.0.0.1', port });
    await eventually(() =>
      refuseUnfitDatabase(through(session.port)).then(
        () => true as const,
        () => undefined,
      ),
    );
    const config = readConfig({ DATA_DIR: join(folder, 'data'), DEMO: '0', APP_SECRET: testAppSecret });
    const bank = await openBank(config, through(session.port), 'http://localhost', pino({ level: 'silent' }));
    const { database } = bank.parts;
    await eventually(async () => {
      const { statusCode } = await bank.app.inject('/readyz');
      const { rowCount } = await database.pool.query('SELECT FROM job_runs');
      // One row for the runner of jobs, and one for the runner of mails.
      return statusCode === 200 && rowCount === 2 ? true : undefined;
    });
    const customers = await seedCustomers(database, bank.parts.tokens, 2);
    for (const { accountNumber } of customers)
      await bank.parts.ledger.credit({ ...credit, adminId: newId(), accountNumber });
    // Session settings and prepared statements stay on the connection that made them.
    const [short, other] = [await database.connect('short'), await database.connect('other')];
    await short.query("SELECT set_config('statement_timeout', '50ms', false)");
    const named = { name: 'sleeps', text: 'SELECT pg_sleep(0.1)' };
    for (let n = 0; n < 2; n++) {
      await expect(short.query(named)).rejects.toThrow(/statement timeout/);
      await other.query(named);
    }
    // A notification reaches the connection that listens.
    const heard = new Promise(resolve => other.once('notification', resolve));
    await other.query('LISTEN jobs');
    await database.pool.query('NOTIFY jobs');
    await heard;
    await Promise.all([short.end(), other.end()]);
    await bank.stop();
    await session.stop();

    const transaction = await startPgBouncer(folder, primary, 'transaction', users);
    const refusal = await eventually(async () => {
      const error = await refuseUnfitDatabase(through(transaction.port)).catch((thrown: Error) => thrown);
      return error?.message.includes('ECONNREFUSED') ? undefined : { error };
    });
    expect(refusal.error).toBeInstanceOf(SettingsError);
    expect(refusal.error?.message).toMatch(/pooler in transaction mode/);
    await transaction.stop();
  });

  test('with several hosts, a bank uses the primary, even after a failover, and never a standby or a former primary [RC-81]', async () => {
    standby = await startPostgres(folder, primary);
    const connectionString = urlOf(`${at(standby)},${at(primary)}`);
    const bank = await openServerDatabase({ connectionString }, testSecrets);
    const { user, password } = bank.pool.options as { user: string; password: string };
    expect(await portOf(bank)).toBe(primary.port);
    const alone = openDatabase({ connectionString: urlOf(at(standby)) }, { login: { user, password } });
    await expect(alone.pool.query('SELECT 1')).rejects.toMatchObject({ code: unsafeConnection });
    await alone.close();

    // The only connection of `idle` is closed before the failover, so it gets no error from the former primary.
    const idle = openDatabase({ connectionString }, { login: { user, password } });
    await (await idle.connect('first')).end();

    // A machine that freezes answers nothing and closes no connection.
    const impatient = bank.openPool('impatient', { query_timeout: 0 });
    await impatient.query('SELECT 1');
    primary.signal('SIGSTOP');
    const impatiently = { text: 'SELECT 1', query_timeout: 300 };
    await expect(impatient.query(impatiently)).rejects.toThrow('Query read timeout');
    await asSuperuser(standby.port, 'SELECT pg_promote()');
    const next = await bank.connect('next');
    // The pool's idle connections led to the frozen machine, so this query gets a new one.
    expect(await portOf(bank)).toBe(standby.port);
    await next.end();
    await impatient.end();
    // The frozen primary continues, and still reports itself as the primary.
    primary.signal('SIGCONT');
    await eventually(() =>
      asSuperuser(primary.port, 'SELECT 1').then(
        () => true as const,
        () => undefined,
      ),
    );
    const later = openDatabase({ connectionString }, { login: { user, password } });
    for (const database of [bank, later, idle])
      expect(await Promise.all(Array.from({ length: 12 }, () => portOf(database)))).toEqual(
        Array.from({ length: 12 }, () => standby.port),
      );
    // The new primary is gone too, and only the former one answers.
    await standby.stop();
    await eventually(() =>
      bank.pool.query('SELECT 1').then(
        () => undefined,
        (error: Error) => (error.message.includes(`${at(primary)}: a former primary`) ? true : undefined),
      ),
    );
    await Promise.all([later.close(), idle.close(), bank.close()]);
  });
});

/** Makes a self-signed certificate. */
function makeCertificate(folder: string, name: string, subject: string): void {
  const [key, certificate] = [join(folder, `${name}.key`), join(folder, `${name}.crt`)];
  writeFileSync(key, '', { mode: 0o600 });
  execFileSync(
    'openssl',
    [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:prime256v1',
      '-noenc',
      '-days',
      '2',
      '-keyout',
      key,
      '-out',
      certificate,
      '-subj',
      `/CN=${name}`,
      '-addext',
      `subjectAltName=${subject}`,
    ],
    { stdio: 'pipe' },
  );
  giveToPostgres(key);
}
