/**
 * PostgreSQL and PgBouncer as Debian installs them, for tests of what the embedded PostgreSQL lacks: TCP, TLS, standbys and
 * poolers. Where these programs are missing, the tests are skipped.
 */
import { execFileSync, spawn } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  writeFileSync,
} from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { reservePort } from '#server/http/reservedPort.ts';
import { eventually } from './waiting.ts';

const versions = '/usr/lib/postgresql';
const newest = existsSync(versions)
  ? readdirSync(versions)
      .sort((a, b) => Number(b) - Number(a))
      .find(name => Number(name) >= 15)
  : undefined;
const pgbouncer = '/usr/sbin/pgbouncer';
/** The folder of PostgreSQL's programs; undefined if PostgreSQL or PgBouncer is missing. */
const programs = newest !== undefined && existsSync(pgbouncer) ? join(versions, newest, 'bin') : undefined;
export const hasInstalledPostgres = programs !== undefined;

/** PostgreSQL and PgBouncer refuse to run as root. If this process is root, they run as the user `postgres`. */
const user = userInfo().uid === 0 && hasInstalledPostgres ? { uid: idOf('-u'), gid: idOf('-g') } : {};

function idOf(option: '-u' | '-g'): number {
  return Number(execFileSync('id', [option, 'postgres'], { encoding: 'utf8' }));
}

/** Gives a file or folder to the user of the programs. */
export function giveToPostgres(path: string): void {
  if (user.uid !== undefined) chownSync(path, user.uid, user.gid!);
}

const runProgram = (name: string, args: string[], env: NodeJS.ProcessEnv = {}): void => {
  execFileSync(join(programs!, name), args, { ...user, env, stdio: 'pipe' });
};

export type InstalledPostgres = {
  port: number;
  folder: string;
  /** Sends a signal to the server and to the processes of its connections. */
  signal(name: NodeJS.Signals): void;
  stop(): Promise<void>;
};

const superuser = { host: '127.0.0.1', user: 'postgres', password: 'superuser', database: 'postgres' };

/** Runs statements as the superuser. Returns the column `value` of the last statement's rows. */
export async function asSuperuser(port: number, ...statements: string[]): Promise<string[]> {
  const client = new pg.Client({ ...superuser, port, ssl: { rejectUnauthorized: false } });
  client.on('error', () => {});
  await client.connect();
  let values: string[] = [];
  for (const statement of statements)
    values = (await client.query<{ value: string }>(statement)).rows.map(row => row.value);
  await client.end();
  return values;
}

/** Starts a server with the certificate `server.crt` of the folder, or a standby of `primary`. */
export async function startPostgres(folder: string, primary?: InstalledPostgres): Promise<InstalledPostgres> {
  const data = join(folder, primary ? 'standby' : 'primary');
  const passwordFile = join(folder, 'password');
  if (primary) {
    const from = `host=127.0.0.1 port=${primary.port} user=postgres sslmode=require`;
    runProgram('pg_basebackup', ['-D', data, '-d', from, '-R', '-c', 'fast'], {
      PGPASSWORD: superuser.password,
    });
  } else {
    writeFileSync(passwordFile, superuser.password);
    runProgram('initdb', [
      '-D',
      data,
      '-U',
      'postgres',
      '-A',
      'scram-sha-256',
      `--pwfile=${passwordFile}`,
      '-N',
      '--no-locale',
      '-E',
      'UTF8',
    ]);
    writeFileSync(
      join(data, 'pg_hba.conf'),
      'hostssl all all 127.0.0.1/32 scram-sha-256\nhostssl replication all 127.0.0.1/32 scram-sha-256\n',
    );
    appendFileSync(
      join(data, 'postgresql.conf'),
      `ssl = on\nssl_cert_file = '${folder}/server.crt'\nssl_key_file = '${folder}/server.key'\nlisten_addresses = '127.0.0.1'\nunix_socket_directories = ''\n`,
    );
  }
  const { port, release } = await reservePort('127.0.0.1');
  await release();
  const child = spawn(
    join(programs!, 'postgres'),
    ['-D', data, '-p', String(port), '-c', 'shared_buffers=16MB'],
    {
      ...user,
      env: {},
      stdio: 'ignore',
      detached: true,
    },
  );
  const ended = new Promise(resolve => child.once('close', resolve));
  await eventually(() =>
    asSuperuser(port).then(
      () => true as const,
      () => undefined,
    ),
  );
  return {
    port,
    folder: data,
    signal(name) {
      // Each connection's process has a process group of its own, so a signal to the server's group would not reach it.
      const all = execFileSync('ps', ['-eo', 'pid,ppid'], { encoding: 'utf8' }).matchAll(
        /^\s*(\d+)\s+(\d+)$/gm,
      );
      const children = [...all].flatMap(([, pid, parent]) =>
        Number(parent) === child.pid ? [Number(pid)] : [],
      );
      for (const pid of [child.pid!, ...children]) process.kill(pid, name);
    },
    async stop() {
      child.kill('SIGCONT');
      child.kill('SIGQUIT');
      await ended;
    },
  };
}

/** Starts PgBouncer in front of a server. `users`: passwords or verifiers by name. */
export async function startPgBouncer(
  folder: string,
  { port: to }: InstalledPostgres,
  mode: 'session' | 'transaction',
  users: Record<string, string>,
): Promise<{ port: number; stop(): Promise<void> }> {
  const { port, release } = await reservePort('127.0.0.1');
  await release();
  const own = join(folder, `pgbouncer-${mode}`);
  mkdirSync(own, { recursive: true });
  chmodSync(own, 0o755);
  writeFileSync(
    join(own, 'users.txt'),
    Object.entries(users)
      .map(([name, secret]) => `"${name}" "${secret}"\n`)
      .join(''),
  );
  const settings = {
    listen_addr: '127.0.0.1',
    listen_port: port,
    unix_socket_dir: '',
    auth_type: 'scram-sha-256',
    auth_file: join(own, 'users.txt'),
    pool_mode: mode,
    default_pool_size: 40,
    server_tls_sslmode: 'require',
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}\n`);
  const file = join(own, 'pgbouncer.ini');
  writeFileSync(file, `[databases]\n* = host=127.0.0.1 port=${to}\n[pgbouncer]\n${lines.join('')}`);
  const child = spawn(pgbouncer, ['-q', file], { ...user, stdio: 'ignore' });
  const ended = new Promise(resolve => child.once('close', resolve));
  return {
    port,
    async stop() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
