/**
 * A bank on seven machines, set up with the files of `deploy/cluster`: three database machines with etcd and Patroni, three
 * servers, and a machine with HAProxy. The first two servers reach the primary through HAProxy; the third one lists the
 * database machines in its DATABASE_URL. Clients reach HAProxy, and the servers reach PostgreSQL, with TLS.
 */
import type { ChildProcess } from 'node:child_process';
import {
  chownSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import https from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import tls from 'node:tls';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { SMTPServer } from 'smtp-server';
import { waitUntil } from '../waiting.ts';
import { type Machine, openMachine, openNetwork, ownAddress, run } from './machines.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const files = join(root, 'deploy', 'cluster');
const startLimitMs = 120_000;
const askLimitMs = 1_500;

export const appSecret = 'a secret for drills that is long enough';
const firstAdmin = { email: 'ada@bank.example', password: 'a quiet river stone' };
const superuser = { user: 'postgres', password: 'replace-this-password', database: 'bank' };
const owner = { user: 'bank', password: 'owner' };

/** A database machine as Patroni's REST API describes it. */
type Member = {
  name: string;
  role: 'leader' | 'sync_standby' | 'replica';
  state: string;
  timeline?: number;
};

export type Cluster = {
  databases: Machine[];
  servers: Machine[];
  balancer: Machine;
  /** The address of the bank. */
  url: string;
  /** Message-IDs of the mails that arrived, with repetitions. */
  mails: string[];
  /** How to connect as the database's owner, through HAProxy. */
  owner: pg.PoolConfig;
  settings: Record<string, string>;
  /** Calls Patroni's REST API on a machine. */
  askPatroni(
    machine: Machine,
    path: string,
    options?: { body?: object; limitMs?: number },
  ): Promise<{ ok: boolean; content: string }>;
  members(): Promise<Member[]>;
  /** Waits until there are a primary and two synchronous standbys, all running on one timeline. */
  healthy(): Promise<void>;
  primary(): Promise<Machine>;
  /** A synchronous standby. */
  standby(): Promise<Machine>;
  startDatabase(machine: Machine): void;
  startEtcd(machine: Machine): void;
  /** Starts the server of this version, or of the version in the folder `tree`. */
  startServer(machine: Machine, tree?: string): void;
  /** Makes a folder with the next version of the server, which has more migrations. */
  makeNextVersion(): string;
  serverReady(machine: Machine): Promise<void>;
  switchover(): Promise<void>;
  /** Closes only the mail server. `closeNetwork` ends the processes of the machines. */
  close(): Promise<void>;
};

const isReady = (url: string): Promise<boolean> =>
  fetch(url, { signal: AbortSignal.timeout(1_500) }).then(
    ({ ok }) => ok,
    () => false,
  );

type Databases = Pick<
  Cluster,
  | 'databases'
  | 'balancer'
  | 'askPatroni'
  | 'members'
  | 'healthy'
  | 'primary'
  | 'standby'
  | 'startDatabase'
  | 'startEtcd'
> & { ca: string; servers: Machine[] };

/** Starts etcd, Patroni and HAProxy. */
async function startDatabases(base: string): Promise<Databases> {
  openNetwork();
  const databases = [1, 2, 3].map(n => openMachine(base, `db${n}`, 10 + n));
  const servers = [1, 2, 3].map(n => openMachine(base, `bank${n}`, 30 + n));
  const balancer = openMachine(base, 'balancer', 20);
  const ca = makeCertificates(base, [...databases, balancer]);
  tls.setDefaultCACertificates([...tls.getCACertificates('default'), readFileSync(ca, 'utf8')]);

  const postgres = { uid: Number(run('id', '-u', 'postgres')), gid: Number(run('id', '-g', 'postgres')) };
  for (const machine of databases) prepareDatabaseMachine(machine, ca, postgres);

  const startEtcd = (machine: Machine): void => {
    machine.start('etcd', ['etcd', '--log-level=error'], {
      user: 'postgres',
      env: { ...nodeEnvironment(machine), ETCD_DATA_DIR: join(machine.folder, 'etcd') },
      mounts: { '/etc/patroni': join(machine.folder, 'etc') },
    });
  };
  const startDatabase = (machine: Machine): void => {
    machine.start('patroni', ['patroni', '/etc/patroni/config.yml'], {
      user: 'postgres',
      env: nodeEnvironment(machine),
      mounts: {
        '/etc/patroni': join(machine.folder, 'etc'),
        '/var/lib/postgresql': join(machine.folder, 'data'),
        '/run/postgresql': join(machine.folder, 'run'),
      },
    });
  };
  const askPatroni: Cluster['askPatroni'] = ({ address }, path, { body, limitMs = askLimitMs } = {}) =>
    new Promise((resolve, reject) => {
      const options = {
        ...ownCertificate(balancer),
        method: body ? 'POST' : 'GET',
        signal: AbortSignal.timeout(limitMs),
        agent: false,
      };
      https
        .request(`https://${address}:8008${path}`, options, answer => {
          text(answer).then(content => resolve({ ok: answer.statusCode === 200, content }), reject);
        })
        .on('error', reject)
        .end(body && JSON.stringify(body));
    });
  const members = async (): Promise<Member[]> => {
    // The list comes from the primary, because a machine that is cut off still describes the cluster as it was before.
    const isPrimary = await Promise.all(
      databases.map(machine =>
        askPatroni(machine, '/primary').then(
          ({ ok }) => ok,
          () => false,
        ),
      ),
    );
    const primary = databases[isPrimary.indexOf(true)];
    if (!primary) return [];
    const cluster = await askPatroni(primary, '/cluster').catch(() => undefined);
    return cluster?.ok ? ((JSON.parse(cluster.content) as { members?: Member[] }).members ?? []) : [];
  };
  const machineOf = (role: Member['role']) =>
    waitUntil(`a ${role}`, startLimitMs, async () => {
      const found = (await members()).find(member => member.role === role && member.state !== 'stopped');
      return databases.find(({ name }) => name === found?.name);
    });
  const healthy = () =>
    waitUntil('a primary with two standbys', startLimitMs, async () => {
      const running = (await members()).filter(({ state }) => state === 'running');
      const roles = running.map(({ role }) => role);
      // A former primary runs on its own timeline until pg_rewind begins.
      const isOneTimeline = new Set(running.map(({ timeline }) => timeline)).size === 1;
      return isOneTimeline && roles.sort().join() === 'leader,sync_standby,sync_standby' ? true : undefined;
    }).then(() => {});

  for (const machine of databases) startEtcd(machine);
  for (const machine of databases) startDatabase(machine);
  await healthy();
  await createDatabase((await machineOf('leader')).address, ca);
  balancer.start('haproxy', ['haproxy', '-W', '-f', '/etc/haproxy/haproxy.cfg'], {
    mounts: { '/etc/haproxy': join(balancer.folder, 'etc') },
  });
  return {
    databases,
    servers,
    balancer,
    ca,
    askPatroni,
    members,
    healthy,
    primary: () => machineOf('leader'),
    standby: () => machineOf('sync_standby'),
    startDatabase,
    startEtcd,
  };
}

/** Starts everything. `base`: an empty folder that every user can read. */
export async function startCluster(base: string): Promise<Cluster> {
  const parts = await startDatabases(base);
  const { databases, servers, balancer, ca, askPatroni, primary, standby } = parts;
  const mails: string[] = [];
  const smtp = await receiveMails(mails);

  const at = `/bank?sslmode=verify-full&sslrootcert=${ca}`;
  const login = `postgres://${owner.user}:${owner.password}@`;
  const throughBalancer = `${login}${balancer.address}:5432${at}`;
  const direct = `${login}${databases.map(({ address }) => `${address}:5432`).join()}${at}&target_session_attrs=read-write`;
  const url = `https://${balancer.address}`;
  const settings: Record<string, string> = {
    HOME: process.env.HOME ?? '/',
    NODE_COMPILE_CACHE: join(base, 'compiled'),
    PORT: '3000',
    DATA_DIR: join(base, 'shared'),
    DATABASE_URL: throughBalancer,
    APP_SECRET: appSecret,
    PUBLIC_URL: url,
    SMTP_URL: `smtp://${ownAddress}:${smtp.port}`,
    ADMIN_EMAIL: firstAdmin.email,
    ADMIN_PASSWORD: firstAdmin.password,
    ADMIN_SECOND_FACTOR: 'offered',
    RATE_LIMITS: 'off',
    RAIL_DAY_SECONDS: '2',
    TRUST_PROXY: balancer.address,
    LOG_LEVEL: 'warn',
  };
  /** The server process that was started last on each machine. */
  const started = new Map<Machine, ChildProcess>();
  const startServer = (machine: Machine, tree = root) => {
    const command = [
      process.execPath,
      '--max-semi-space-size=12',
      '--heap-growing-percent=30',
      join(tree, 'src/server/main.ts'),
    ];
    const databaseUrl = machine === servers[2] ? direct : throughBalancer;
    const env = { ...settings, HOST: machine.address, DATABASE_URL: databaseUrl };
    started.set(machine, machine.start('server', command, { env }));
  };
  const serverReady = (machine: Machine) =>
    waitUntil(`${machine.name} to be ready`, startLimitMs, async () => {
      const { exitCode, signalCode } = started.get(machine)!;
      if (exitCode !== null || signalCode !== null)
        throw new Error(`${machine.name} did not start; see its log.`);
      return (await isReady(`http://${machine.address}:3000/readyz`)) ? true : undefined;
    }).then(() => {});
  for (const machine of servers) {
    startServer(machine);
    await serverReady(machine);
  }
  await waitUntil('the bank to answer', startLimitMs, async () =>
    (await isReady(`${url}/readyz`)) ? true : undefined,
  );

  return {
    ...parts,
    url,
    mails,
    owner: { connectionString: throughBalancer },
    settings,
    startServer,
    makeNextVersion: () => makeNextVersion(base),
    serverReady,
    async switchover() {
      const leader = await primary();
      const candidate = await standby();
      const body = { leader: leader.name, candidate: candidate.name };
      const { ok, content } = await askPatroni(leader, '/switchover', { body, limitMs: startLimitMs });
      if (!ok) throw new Error(`Patroni refused the switchover: ${content}`);
    },
    close: () => smtp.close(),
  };
}

/** Makes a certificate authority, and a certificate for each machine's address. */
function makeCertificates(base: string, machines: readonly Machine[]): string {
  const openssl = (...args: string[]) => run('openssl', ...args);
  const [key, ca] = [join(base, 'ca.key'), join(base, 'ca.crt')];
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-noenc'];
  openssl('req', '-x509', ...curve, '-keyout', key, '-out', ca, '-days', '2', '-subj', '/CN=Drill CA');
  for (const { name, address, folder } of machines) {
    mkdirSync(join(folder, 'etc'), { recursive: true });
    const path = (ending: string) => join(folder, 'etc', `server.${ending}`);
    openssl('req', ...curve, '-keyout', path('key'), '-out', path('csr'), '-subj', `/CN=${name}`);
    // A bank server that reaches PostgreSQL through HAProxy checks that the certificate names HAProxy's address.
    writeFileSync(path('ext'), `subjectAltName=IP:${address},IP:10.77.0.20`);
    const signing = ['-CA', ca, '-CAkey', key, '-CAcreateserial', '-days', '2', '-extfile', path('ext')];
    openssl('x509', '-req', '-in', path('csr'), '-out', path('crt'), ...signing);
  }
  const balancer = machines.at(-1)!;
  const { cert, key: ownKey } = ownCertificate(balancer);
  for (const name of ['bank.pem', 'ha.pem'])
    writeFileSync(join(balancer.folder, 'etc', name), cert + ownKey, { mode: 0o600 });
  copyFileSync(ca, join(balancer.folder, 'etc', 'ca.crt'));
  copyFileSync(join(files, 'haproxy.cfg'), join(balancer.folder, 'etc', 'haproxy.cfg'));
  return ca;
}

const ownCertificate = ({ folder }: Machine) => ({
  cert: readFileSync(join(folder, 'etc', 'server.crt'), 'utf8'),
  key: readFileSync(join(folder, 'etc', 'server.key'), 'utf8'),
});

/** The migrations of the next version. They change tables of the ledger, in ways that CONTRIBUTING.md allows. */
const nextMigrations = {
  '9001_next': `
    CREATE TABLE drill_reasons (id int PRIMARY KEY);
    ALTER TABLE transactions ADD COLUMN drill_reason int;
    ALTER TABLE ledger_accounts ADD COLUMN drill_score int NOT NULL DEFAULT 0;
    ALTER TABLE ledger_accounts ADD CONSTRAINT drill_score_positive CHECK (drill_score >= 0) NOT VALID;
    GRANT SELECT ON drill_reasons TO larkspur_app;`,
  '9002_next': `-- Outside a transaction
    CREATE INDEX CONCURRENTLY drill_by_reason ON transactions (drill_reason);
    ALTER TABLE ledger_accounts VALIDATE CONSTRAINT drill_score_positive;`,
};

function makeNextVersion(base: string): string {
  const tree = join(base, 'next');
  for (const part of ['package.json', 'db', 'src/server', 'src/contract'])
    cpSync(join(root, part), join(tree, part), { recursive: true });
  for (const part of ['dist', 'node_modules']) symlinkSync(join(root, part), join(tree, part));
  for (const [name, text] of Object.entries(nextMigrations))
    writeFileSync(join(tree, 'db', 'migrations', `${name}.sql`), text);
  return tree;
}

function prepareDatabaseMachine(machine: Machine, ca: string, { uid, gid }: { uid: number; gid: number }) {
  const { folder } = machine;
  for (const name of ['etc', 'data', 'run', 'etcd']) {
    mkdirSync(join(folder, name), { recursive: true, mode: 0o700 });
    chownSync(join(folder, name), uid, gid);
  }
  machine.configure(join(files, 'keepalive.conf'));
  copyFileSync(join(files, 'patroni.yml'), join(folder, 'etc', 'config.yml'));
  copyFileSync(ca, join(folder, 'etc', 'ca.crt'));
  for (const name of ['server.key', 'server.crt', 'ca.crt', 'config.yml'])
    chownSync(join(folder, 'etc', name), uid, gid);
}

/** The settings of `node.env`, with this machine's name and address. */
function nodeEnvironment({ name, address }: Machine): Record<string, string> {
  const lines = readFileSync(join(files, 'node.env'), 'utf8').split('\n');
  const settings = lines.flatMap(line => {
    const [, key, value] = /^(\w+)=(.*)$/.exec(line) ?? [];
    if (key === undefined || value === undefined) return [];
    const own = value.replaceAll('db1', name).replaceAll('10.77.0.11', address);
    return [[key, key === 'ETCD_INITIAL_CLUSTER' ? value : own]];
  });
  return Object.fromEntries(settings) as Record<string, string>;
}

async function createDatabase(host: string, ca: string): Promise<void> {
  const client = new pg.Client({
    ...superuser,
    host,
    database: 'postgres',
    ssl: { ca: readFileSync(ca, 'utf8') },
  });
  await client.connect();
  await client.query(`CREATE ROLE ${owner.user} LOGIN CREATEROLE PASSWORD '${owner.password}'`);
  await client.query(`CREATE DATABASE bank OWNER ${owner.user}`);
  await client.end();
}

/** A mail server that collects Message-IDs. */
async function receiveMails(ids: string[]): Promise<{ port: number; close(): Promise<void> }> {
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    authOptional: true,
    disableReverseLookup: true,
    onData(stream, _, answer) {
      let head = '';
      stream.setEncoding('utf8').on('data', (text: string) => {
        if (head.length < 4_096) head += text;
      });
      stream.on('end', () => {
        ids.push(/^Message-ID: <(.+?)>/im.exec(head)?.[1] ?? 'none');
        answer();
      });
    },
  });
  server.on('error', () => {});
  await new Promise<void>(resolve => server.listen(0, ownAddress, resolve));
  const { port } = server.server.address() as { port: number };
  return { port, close: () => new Promise(resolve => server.close(() => resolve())) };
}
