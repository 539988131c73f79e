/** The settings, the server process in production, a log on a full disk, and the list of demo people in the README. */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createConnection, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { sql } from 'kysely';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test, vi } from 'vitest';
import { adminApi } from '#contract/admin.ts';
import { addressQuotas, bank as house } from '#contract/constants.ts';
import { contactApi } from '#contract/contact.ts';
import { adminFactorsApi } from '#contract/factors.ts';
import { callAt } from '../../tests/call.ts';
import { openFaultyProxy } from '../../tests/faultyProxy.ts';
import {
  databaseUrl,
  expectStopped,
  removeFolder,
  run,
  type ServerProcess,
  type Settings,
  startServer,
  startServerWithFullLog,
  stopAll,
  testSettings,
  waitForExit,
} from '../../tests/serverProcess.ts';
import { becomesReady, retryWhileBusy, waitLimitMs, waitOptions, waitUntil } from '../../tests/waiting.ts';
import { sleep } from './base/deadline.ts';
import { encrypt } from './base/encryption.ts';
import { readConfig, readServerConfig, SettingsError, secretSettings } from './config.ts';
import type { Database } from './db/database.ts';
import { openServerDatabase } from './db/migrate.ts';
import { demoAdmin, demoCustomers, demoPassword } from './demo/people.ts';
import { findPublishedLogins } from './demo/published.ts';
import { type EmbeddedPostgres, isAlive, startEmbedded } from './embedded/embedded.ts';
import { policyReportsPath } from './http/policyReports.ts';
import { createAdmin, resetAdminPassword } from './people/admins.ts';
import { deriveSecrets } from './secrets.ts';

/** All settings that production requires. */
const production = {
  DATABASE_URL: 'postgres://bank@db.example/bank',
  APP_SECRET: 'an-app-secret-of-32-characters-or-more',
  PUBLIC_URL: 'https://bank.example',
  SMTP_URL: 'smtp://mail.example',
  ADMIN_EMAIL: 'Ada@Bank.example',
  ADMIN_PASSWORD: 'a quiet river stone',
} satisfies Settings;

/** The error of a server started with these settings; empty if it would start. */
function errorFor(settings: Settings): string {
  try {
    readServerConfig(settings);
    return '';
  } catch (error) {
    expect(error).toBeInstanceOf(SettingsError);
    return (error as Error).message;
  }
}

describe('settings', () => {
  test('a local bank needs no settings, shows demo data and listens on loopback [M-15, RC-13, RC-15, RC-24]', () => {
    expect(readServerConfig({})).toMatchObject({
      port: 3000,
      host: '127.0.0.1',
      demo: true,
      production: false,
      workers: 1,
      rateLimits: true,
      jobs: true,
      railDaySeconds: 20,
      dataDir: join(process.cwd(), 'data'),
    });
    expect(spawnSync('git', ['check-ignore', '--quiet', 'data/x']).status).toBe(0);
  });

  test('with DATABASE_URL the bank runs in production mode, without demo data [M-15, RC-24, RC-41]', () => {
    expect(readServerConfig(production)).toMatchObject({
      production: true,
      demo: false,
      railDaySeconds: 86_400,
      adminEmail: 'ada@bank.example',
    });
  });

  test('in production, the error names every missing setting, one or several [RC-31, RC-42, RC-43]', () => {
    const { DATABASE_URL, ...needed } = production;
    for (const name of Object.keys(needed)) {
      const said = errorFor({ ...production, [name]: undefined });
      expect(said).toMatch(new RegExp(`^${name} is missing: .+\\.$`));
      expect(errorFor({ ...production, [name]: '  ' })).toBe(said);
    }
    const said = errorFor({ DATABASE_URL }).split('\n');
    expect(said.map(line => line.split(' ')[0])).toEqual(Object.keys(needed));
  });

  test('without demo data the first administrator must be set in local mode too [RC-28]', () => {
    const said = errorFor({ DEMO: '0' }).split('\n');
    expect(said.map(line => line.split(' ')[0])).toEqual(['ADMIN_EMAIL', 'ADMIN_PASSWORD']);
  });

  test('a production bank with demo data still requires its own administrator', () => {
    const { ADMIN_EMAIL, ADMIN_PASSWORD, ...rest } = production;
    const said = errorFor({ ...rest, DEMO: '1' }).split('\n');
    expect(said.map(line => line.split(' ')[0])).toEqual(['ADMIN_EMAIL', 'ADMIN_PASSWORD']);
    expect(errorFor({ ...rest, DEMO: '1', ADMIN_EMAIL, ADMIN_PASSWORD })).toBe('');
  });

  test('a command runs without the settings that only a server needs, but refuses an invalid setting', () => {
    expect(readConfig({ DATABASE_URL: production.DATABASE_URL })).toMatchObject({ production: true });
    expect(() => readConfig({ PORT: 'x' })).toThrow(SettingsError);
  });

  test('for HOST=localhost the bank listens on 127.0.0.1 only, because a second server on ::1 would have limits of its own [RC-13]', () => {
    expect(readConfig({ HOST: 'localhost' }).host).toBe('127.0.0.1');
    for (const HOST of ['0.0.0.0', '::1', 'localhost.example']) expect(readConfig({ HOST }).host).toBe(HOST);
  });

  test("the first administrator's password is used as is, including spaces", () => {
    const { ADMIN_EMAIL } = production;
    const ADMIN_PASSWORD = ' a quiet river stone ';
    expect(readConfig({ ADMIN_EMAIL, ADMIN_PASSWORD }).adminPassword).toBe(ADMIN_PASSWORD);
  });

  test('a secret can be given as a file, but not also as a value, and the file must not be missing or empty [RC-90]', () => {
    const folder = mkdtempSync(join(tmpdir(), 'larkspur-secrets-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const files: Record<string, string> = {};
    const { PUBLIC_URL, ADMIN_EMAIL, ...secrets } = production;
    for (const [name, value] of Object.entries(secrets)) {
      expect(secretSettings).toContain(name);
      files[`${name}_FILE`] = join(folder, name);
      writeFileSync(join(folder, name), `${value}\n`);
    }
    expect(readServerConfig({ PUBLIC_URL, ADMIN_EMAIL, ...files })).toEqual(readServerConfig(production));
    const { APP_SECRET } = secrets;
    expect(errorFor({ ...production, APP_SECRET, APP_SECRET_FILE: files.APP_SECRET_FILE })).toBe(
      'APP_SECRET and APP_SECRET_FILE are both set: set one of them.',
    );
    expect(errorFor({ APP_SECRET_FILE: join(folder, 'missing') })).toMatch(
      /^APP_SECRET_FILE cannot be read: ENOENT/,
    );
    writeFileSync(files.APP_SECRET_FILE!, '\n');
    expect(errorFor(files)).toContain('APP_SECRET_FILE names an empty file.');
  });

  test('INSURANCE_NOTICE is the institution’s insurance statement; without it, the bank says that no insurance applies [RC-48]', () => {
    expect(readConfig({ INSURANCE_NOTICE: ' Insured by Oak & Sons. ' }).insuranceNotice).toBe(
      'Insured by Oak & Sons.',
    );
    expect(readConfig({}).insuranceNotice).toContain('There is no deposit insurance');
  });

  test('RAIL_DIRECTORY lists the names of the banks that payments reach; the error names an invalid line [RF-22]', () => {
    const folder = mkdtempSync(join(tmpdir(), 'larkspur-directory-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const RAIL_DIRECTORY = join(folder, 'banks.csv');
    const write = (text: string) => writeFileSync(RAIL_DIRECTORY, text);
    write('# Participants\n800000022, Harbor Bank\r\n\n800000022,Harbor\n');
    const banks = readConfig({ RAIL_DIRECTORY, ROUTING_NUMBER: '800000035' }).railDirectory!;
    expect([...banks.keys()]).toEqual(['harbor bank', '800000022', 'harbor']);
    for (const [text, reason] of [
      ['', 'it lists no bank.'],
      [
        '800000022,A\n800000023,B',
        'line 2 must be a routing number and a name, such as 800000022,Harbor Bank.',
      ],
      ['800000022,A\n800000035,a', 'line 2 gives a second routing number for the same name.'],
      ['800000006,A', 'line 1 has the routing number of this bank.'],
    ] as const) {
      write(text);
      expect(errorFor({ RAIL_DIRECTORY })).toBe(
        `RAIL_DIRECTORY names ${RAIL_DIRECTORY}, which cannot be used: ${reason}`,
      );
    }
    expect(errorFor({ RAIL_DIRECTORY: join(folder, 'missing') })).toContain('ENOENT');
  });

  test('no proxy is trusted unless it is listed', () => {
    expect(readConfig({}).trustProxy).toEqual([]);
    expect(readConfig({ TRUST_PROXY: ' 10.0.0.0/8, ::1 ,192.0.2.1' }).trustProxy).toEqual([
      '10.0.0.0/8',
      '::1',
      '192.0.2.1',
    ]);
    for (const TRUST_PROXY of ['true', '10.0.0.0/33', '10.0.0.0/8/8', 'proxy.example', '1'])
      expect(errorFor({ TRUST_PROXY })).toBe(
        `TRUST_PROXY must list addresses or networks such as 10.0.0.0/8, not '${TRUST_PROXY}'.`,
      );
  });

  test('the settings of OpenTelemetry name the address that gets traces and the share of requests that are traced [OB-01]', () => {
    expect(readConfig({})).toMatchObject({ otlpEndpoint: undefined, traceShare: 1 });
    const given = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318', OTEL_TRACES_SAMPLER_ARG: '0.05' };
    expect(readConfig(given)).toMatchObject({ otlpEndpoint: 'http://127.0.0.1:4318', traceShare: 0.05 });
    expect(errorFor({ OTEL_EXPORTER_OTLP_ENDPOINT: '127.0.0.1:4318' })).toMatch(/must be an address/);
    expect(errorFor({ OTEL_TRACES_SAMPLER_ARG: '5' })).toMatch(/must be a share from 0 to 1, not '5'/);
  });

  test('in production, PUBLIC_URL must be https unless it names this machine [RC-62]', () => {
    for (const PUBLIC_URL of [
      'http://bank.example',
      'http://192.0.2.1',
      'http://localhost.example',
      'http://127.0.0.1.example',
    ])
      expect(errorFor({ ...production, PUBLIC_URL })).toBe(
        'PUBLIC_URL must start with https:// unless its host is this machine (localhost, 127.0.0.1).',
      );
    for (const PUBLIC_URL of [
      'http://localhost:3000',
      'http://127.0.0.1:3000',
      'http://[::1]:3000',
      'http://bank.localhost',
    ])
      expect(errorFor({ ...production, PUBLIC_URL })).toBe('');
    expect(errorFor({ PUBLIC_URL: 'http://bank.example' })).toBe('');
  });

  test('an invalid setting is refused with a message that names it and quotes no password', () => {
    const cases: [Settings, string][] = [
      [{ PORT: '70000' }, "PORT must be a number from 0 to 65535, not '70000'."],
      [{ PORT: '3000x' }, "PORT must be a number from 0 to 65535, not '3000x'."],
      [{ DEMO: 'yes' }, "DEMO must be 1 or 0, not 'yes'."],
      [{ RAIL_DAY_SECONDS: '0' }, "RAIL_DAY_SECONDS must be seconds above 0 and up to 86400, not '0'."],
      [{ RAIL_DAY_SECONDS: '1d' }, "RAIL_DAY_SECONDS must be seconds above 0 and up to 86400, not '1d'."],
      [
        { ROUTING_NUMBER: '800000023' },
        "ROUTING_NUMBER must have nine digits, the last of which is the check digit, not '800000023'.",
      ],
      [
        { ROUTING_NUMBER: '800000019' },
        'ROUTING_NUMBER must not be 800000019, which is the other bank of the sandbox rail.',
      ],
      [{ RATE_LIMITS: '0' }, "RATE_LIMITS must be on or off, not '0'."],
      [{ JOBS: 'no' }, "JOBS must be on or off, not 'no'."],
      [{ WORKERS: '0' }, "WORKERS must be a number from 1 to 32, not '0'."],
      [{ INSURANCE_NOTICE: 'x'.repeat(301) }, 'INSURANCE_NOTICE must be one line of at most 300 characters.'],
      [
        { INSURANCE_NOTICE: 'Insured.\nReally.' },
        'INSURANCE_NOTICE must be one line of at most 300 characters.',
      ],
      [{ APP_SECRET: 'short' }, 'APP_SECRET is too short: 32 characters or more.'],
      [
        { APP_SECRET: 'x'.repeat(64) },
        'APP_SECRET is one repeated character: make a random one, as with openssl rand -base64 32.',
      ],
      [{ ADMIN_PASSWORD: 'short' }, 'ADMIN_PASSWORD must have 12 to 128 characters.'],
      [{ ADMIN_PASSWORD: 'x'.repeat(129) }, 'ADMIN_PASSWORD must have 12 to 128 characters.'],
      [{ ADMIN_EMAIL: 'Ada' }, "ADMIN_EMAIL must be one plain email address, not 'ada'."],
      [
        { LOG_LEVEL: 'loud' },
        "LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent, not 'loud'.",
      ],
    ];
    const { ADMIN_EMAIL, ADMIN_PASSWORD } = production;
    for (const [settings, said] of cases)
      expect(errorFor({ ADMIN_EMAIL, ADMIN_PASSWORD, ...settings })).toBe(said);
    for (const PUBLIC_URL of ['bank.example', 'https://bank.example/path', 'ftp://bank.example'])
      expect(errorFor({ PUBLIC_URL })).toMatch('PUBLIC_URL must be an origin');
    // An address with a password is not quoted.
    const files = { FILES_ACCESS_KEY_ID: 'id', FILES_SECRET_ACCESS_KEY: 'key' };
    for (const settings of [
      { AUDIT_ANCHOR_URL: 'https://ada:violets@anchors.example/' },
      { FILES_URL: 's3://ada:violets@bucket', ...files },
      { FILES_URL: 's3://bucket?endpoint=https://ada:violets@store.example', ...files },
    ])
      expect(errorFor(settings)).toMatch(/^[A-Z_]+ must be (?!.*violets).*, without/);
    expect(errorFor({ FILES_URL: 's3://bucket?endpoint=https://store.example', ...files })).toBe('');
    expect(errorFor({ PUBLIC_URL: 'https://bank.example/' })).toBe('');
  });
});

/**
 * A proxy in front of two servers that forwards TCP connections without reading HTTP. It checks `/readyz` of the first server
 * twice a second, and sends new connections to the second server once two checks in a row have failed.
 */
async function openProxy(first: number, second: number) {
  let checks = 0;
  let failures = 0;
  let leftAt = Number.NaN;
  const served = new Map<number, number>();
  const sockets = new Set<Socket>();
  const check = setInterval(async () => {
    const isReady = await fetch(`http://127.0.0.1:${first}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
    failures = isReady ? 0 : failures + 1;
    if (failures === 2) leftAt = Date.now();
    checks++;
  }, 500);
  const proxy = createServer(client => {
    const port = failures < 2 ? first : second;
    served.set(port, (served.get(port) ?? 0) + 1);
    const upstream = createConnection(port, '127.0.0.1');
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.pipe(to);
      from.on('error', () => to.destroy());
    }
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    checks: () => checks,
    /** When it last stopped opening connections to `first`. */
    leftAt: () => leftAt,
    served: (port: number) => served.get(port) ?? 0,
    async close() {
      clearInterval(check);
      for (const socket of sockets) socket.destroy();
      await new Promise(resolve => proxy.close(resolve));
    },
  };
}

describe('a bank in production', () => {
  const folder = mkdtempSync(join(tmpdir(), 'larkspur-production-'));
  const secrets = deriveSecrets(production.APP_SECRET);
  /** A PostgreSQL for these tests: the one that other tests share runs with fsync=off, which a bank in production refuses. */
  let cluster: EmbeddedPostgres;
  let database: Database;
  /** Mails received by the SMTP server: sender, recipients and content. */
  const arrived: string[] = [];
  const smtp = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    authOptional: true,
    async onData(stream, { envelope: { mailFrom, rcptTo } }, answer) {
      const from = mailFrom === false ? '' : mailFrom.address;
      arrived.push(`${from} ${rcptTo.map(({ address }) => address).join()} ${await text(stream)}`);
      answer();
    },
  });
  let settings: Settings;
  let server: ServerProcess;

  beforeAll(async () => {
    cluster = await startEmbedded({ dataDir: join(folder, 'cluster') });
    database = await openServerDatabase(cluster.connection, secrets);
    await once(smtp.listen(0, '127.0.0.1'), 'listening');
    settings = {
      ...production,
      PORT: '0',
      DATA_DIR: join(folder, 'data'),
      DATABASE_URL: databaseUrl(cluster.connection),
      SMTP_URL: `smtp://127.0.0.1:${(smtp.server.address() as AddressInfo).port}`,
      MAIL_FROM: 'The Post Room <post@bank.example>',
    };
    server = await startServer(settings);
  });
  afterAll(async () => {
    await stopAll([]);
    await new Promise<void>(resolve => smtp.close(() => resolve()));
    await database.close();
    await cluster.stop();
    removeFolder(folder);
  });

  test('does not start if settings are missing, names them, and exits with 1 [RC-42, RC-43]', async () => {
    const { PORT, DATA_DIR, DATABASE_URL } = settings;
    const { code, output } = await run(process.execPath, ['src/server/main.ts'], {
      PORT,
      DATA_DIR,
      DATABASE_URL,
    });
    expect(code).toBe(1);
    expect(output).toContain('The bank could not start.');
    for (const name of ['APP_SECRET', 'PUBLIC_URL', 'SMTP_URL', 'ADMIN_EMAIL', 'ADMIN_PASSWORD'])
      expect(output).toContain(`${name} is missing: `);
    expect(output).not.toMatch(/\n\s+at /);
  });

  test('does not start on a database that runs with fsync=off, does not exist or refuses the password, and prints the reason without a stack trace [RC-62]', async () => {
    const cases = [
      [databaseUrl(inject('connection')), 'it runs with fsync=off, so a crash can lose transfers'],
      [databaseUrl({ ...cluster.connection, database: 'none' }), 'database "none" does not exist'],
      [databaseUrl({ ...cluster.connection, password: 'wrong' }), 'password authentication failed'],
    ] as const;
    for (const [DATABASE_URL, why] of cases) {
      const { code, output } = await run(process.execPath, ['src/server/main.ts'], {
        ...settings,
        DATABASE_URL,
      });
      expect(code).toBe(1);
      expect(output).toContain(
        `The bank could not start.\nThe database of DATABASE_URL cannot be used: ${why}`,
      );
      expect(output).not.toMatch(/\n\s+at |"stack"/);
    }
  });

  test('starts on the given database, creates only the administrator, and starts no embedded database [RC-18, RC-20, RC-26, RC-27]', async () => {
    await becomesReady(server.url);
    const login = await fetch(`${server.url}${adminApi.adminLogin.path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'ada@bank.example', password: production.ADMIN_PASSWORD }),
    });
    expect(login.status).toBe(200);
    const people = await sql<{ n: bigint }>`SELECT count(*) AS n FROM customers`.execute(database.reader);
    expect(people.rows[0]!.n).toBe(0n);
    expect(existsSync(join(folder, 'data', 'postgres'))).toBe(false);
    expect(existsSync(join(folder, 'data', 'secrets', 'app-secret'))).toBe(false);
    expect(server.output()).toContain('https://bank.example');
    expect(server.output()).not.toContain(demoPassword);
  });

  test('sends mail through SMTP_URL with the sender MAIL_FROM [RC-21]', async () => {
    const message = { name: 'Wren', email: 'wren@mail.example', subject: 'Hours', message: 'Open today?' };
    const { path } = contactApi.sendMessage;
    const written = await fetch(`${server.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(message),
    });
    expect(written.status).toBe(201);
    const mail = await waitUntil('the mail', waitLimitMs, () => arrived[0]);
    expect(mail).toMatch(new RegExp(`^post@bank\\.example ${house.supportEmail} `));
    expect(mail).toContain('From: The Post Room <post@bank.example>');
    expect(mail).toContain('Open today?');
  });

  test('serves nothing under /dev [RC-44]', async () => {
    for (const path of [
      '/dev/inbox',
      '/dev/inbox.json',
      '/dev/inbox.json?to=a@b.example',
      '/dev/components',
      '/dev',
    ])
      expect({ path, status: (await fetch(`${server.url}${path}`)).status }).toEqual({ path, status: 404 });
  });

  /**
   * How long this test and its proxy may take to notice that the server is not ready. A slower round is repeated, because the
   * server waits only 6.3 seconds for its load balancer.
   */
  const maxTookMs = 4_500;

  test('after SIGTERM, a server reports that it is not ready, serves requests until its TCP proxy has turned away, and drops none [RC-75]', async () => {
    const login = { email: production.ADMIN_EMAIL, password: production.ADMIN_PASSWORD };
    await waitUntil('a stop on a machine that is fast enough', waitLimitMs, async () => {
      const leaving = await startServer(settings);
      const [first, second] = [leaving, server].map(({ url }) => Number(new URL(url).port)) as [
        number,
        number,
      ];
      const proxy = await openProxy(first, second);
      const { token } = (await callAt(proxy.url, adminApi.adminLogin, { body: login })).body.data;
      let isDone = false;
      const statuses: (number | string)[] = [];
      const visit = () =>
        waitUntil('the end of the round', waitLimitMs, async () => {
          const visiting = retryWhileBusy(() => callAt(proxy.url, adminFactorsApi.adminApp, { token }));
          statuses.push(await visiting.then(({ status }) => status, String));
          return isDone ? true : undefined;
        });
      const visits = [visit(), visit()];
      await waitUntil('the proxy to check twice', waitLimitMs, () => (proxy.checks() > 1 ? true : undefined));
      // A request whose second half arrives when the server already reports that it is not ready.
      const upload = createConnection(first, '127.0.0.1');
      const uploaded = text(upload);
      upload.on('error', () => {});
      uploaded.catch(() => {});
      const body = JSON.stringify(login);
      const { host } = new URL(leaving.url);
      upload.write(
        `POST ${adminApi.adminLogin.path} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 9)}`,
      );
      const signaledAt = Date.now();
      leaving.signal('SIGTERM');
      const observe = async () => {
        await waitUntil('a server that is not ready', waitLimitMs, async () =>
          (await fetch(`${leaving.url}/readyz`)).status === 503 ? true : undefined,
        );
        // The server still answers on a new connection, and closes the connection afterward.
        const served = await fetch(`${leaving.url}${adminFactorsApi.adminApp.path}`, {
          headers: { authorization: `Bearer ${token}` },
        });
        upload.write(body.slice(9));
        return [served.status, served.headers.get('connection'), await uploaded];
      };
      const observed = await observe().catch(String);
      const observedAt = Date.now();
      const isInTime = await expectStopped(leaving, signaledAt);
      const tookMs = Math.max(observedAt, proxy.leftAt()) - signaledAt;
      isDone = true;
      await Promise.all(visits);
      await proxy.close();
      if (!isInTime || !(tookMs < maxTookMs)) return undefined;
      expect(observed).toEqual([200, 'close', expect.stringMatching(/^HTTP\/1\.1 200 /)]);
      expect(proxy.served(first)).toBeGreaterThan(0);
      expect(statuses.filter(status => status !== 200)).toEqual([]);
      return true;
    });
  });

  test('sends HSTS if its origin is https', async () => {
    const answer = await fetch(`${server.url}/healthz`);
    expect(answer.headers.get('strict-transport-security')).toMatch(/^max-age=63072000; includeSubDomains/);
  });

  test('runs with demo data only if DEMO=1 is set, and otherwise refuses a database that contains demo logins', async () => {
    await database.ownerPool.query('CREATE DATABASE filled');
    const connection = { ...cluster.connection, database: 'filled' };
    const filled = await openServerDatabase(connection, secrets);
    const ownSettings = {
      ...settings,
      DATA_DIR: join(folder, 'filled'),
      DATABASE_URL: databaseUrl(connection),
    };
    const demo = await startServer({ ...ownSettings, DEMO: '1' });
    demo.signal('SIGTERM');
    await demo.ended;
    const jobs = "SELECT id FROM graphile_worker._private_jobs WHERE payload::text LIKE '%not run%'";
    await filled.ownerPool.query(
      `SELECT graphile_worker.add_job('clean-up', json_build_object('note', 'not run'))`,
    );
    for (const DEMO of [undefined, '0']) {
      const { code, output } = await run(process.execPath, ['src/server/main.ts'], { ...ownSettings, DEMO });
      expect(code).toBe(1);
      expect(output).toMatch(
        /The bank could not start\.\nThe database of DATABASE_URL contains demo people, who log in with published passwords: amara@lindqvist\.example, .*\. Name another database, or set DEMO=1 to run the demo bank\.\n/,
      );
      expect(output).not.toMatch(/\n\s+at |Listening/);
      expect((await filled.ownerPool.query(jobs)).rowCount).toBe(1);
    }
    // The published passwords are found, but not with other keys, and not after they were changed.
    const emails = demoCustomers.map(({ email }) => email);
    const findPublished = () => findPublishedLogins({ secrets, database: filled });
    expect(await findPublished()).toEqual([...emails].sort());
    const other = deriveSecrets('another secret of 32 characters or more');
    expect(await findPublishedLogins({ secrets: other, database: filled })).toEqual([]);
    await createAdmin({ secrets, database: filled }, demoAdmin);
    expect(await findPublished()).toContain(demoAdmin.email);
    await resetAdminPassword(
      { secrets, database: filled },
      { email: demoAdmin.email, password: 'a changed password' },
    );
    expect(await findPublished()).not.toContain(demoAdmin.email);
    // If a password cannot be checked, the server must not start.
    const { rows } = await filled.ownerPool.query('SELECT id FROM customers WHERE email = $1', [emails[0]]);
    await filled.ownerPool.query('UPDATE credentials SET password_hash = $2 WHERE person_id = $1', [
      rows[0].id,
      encrypt(secrets.pepper, rows[0].id, 'no hash'),
    ]);
    await expect(findPublished()).rejects.toThrow();
    await filled.close();
  });

  test('with WORKERS=2, the workers share a port and quotas and end with their primary; a killed worker is replaced by one with the same secrets; the start waits for the database [RC-91, KY-08, RC-84]', async () => {
    const APP_SECRET_FILE = join(folder, 'app-secret');
    writeFileSync(APP_SECRET_FILE, production.APP_SECRET);
    const clustered = await startServer({
      ...settings,
      APP_SECRET: undefined,
      APP_SECRET_FILE,
      WORKERS: '2',
    });
    const lines = () =>
      clustered
        .output()
        .split('\n')
        .filter(line => line.includes('"worker":'));
    const pidsOf = (text: string) =>
      new Set(
        lines()
          .filter(line => line.includes(text))
          .map(line => JSON.parse(line).pid as number),
      );
    const listening = () => pidsOf('Server listening');
    // The log is written in batches, up to a tenth of a second after the answer.
    await waitUntil('the log of both workers', waitLimitMs, () =>
      listening().size === 2 ? true : undefined,
    );
    const report = async () => {
      const answer = await fetch(`${clustered.url}${policyReportsPath}`, {
        method: 'POST',
        headers: { 'content-type': 'application/csp-report', connection: 'close' },
        body: '{}',
      });
      return answer.status;
    };
    const statuses: number[] = [];
    const isRefused = async () => {
      statuses.push(await report());
      return pidsOf('"status":429').size === 2 ? true : undefined;
    };
    await waitUntil('both workers to refuse reports', waitLimitMs, isRefused);
    const accepted = statuses.filter(status => status === 204).length;
    // If each worker counted for itself, they would accept twice as many.
    expect(accepted).toBeGreaterThanOrEqual(addressQuotas.reports.times);
    expect(accepted).toBeLessThan(1.5 * addressQuotas.reports.times);
    // On a busy machine, the numbers of a worker that reports too late are missing from an answer.
    await vi.waitFor(async () => {
      const metrics = await fetch(`${clustered.url}/metrics`).then(answer => answer.text());
      expect(metrics).toContain(`larkspur_refusals_total{code="TOO_MANY"} ${statuses.length - accepted}\n`);
      expect(metrics).toContain('larkspur_file_store_answers 1\n');
      expect(metrics).toContain('larkspur_workers_answer 1\n');
      // An alert counts how often this time changes.
      expect(metrics).toMatch(/^process_start_time_seconds \d+$/m);
    }, waitOptions);

    const [hanging] = listening();
    process.kill(hanging!, 'SIGSTOP');
    await waitUntil('the metrics to show that a worker hangs', waitLimitMs, async () => {
      // Linux may give the connection to the hanging worker, which does not answer.
      const answer = await fetch(`${clustered.url}/metrics`, { signal: AbortSignal.timeout(8_000) })
        .then(read => read.text())
        .catch(() => '');
      return answer.includes('larkspur_workers_answer 0\n') ? true : undefined;
    });
    process.kill(hanging!, 'SIGCONT');

    // From here on, the file has a new secret, but the server has not restarted yet.
    writeFileSync(APP_SECRET_FILE, 'another secret of 32 characters or more');
    const [killed] = listening();
    process.kill(killed!, 'SIGKILL');
    await waitUntil('another worker', waitLimitMs, () => (listening().size === 3 ? true : undefined));
    await becomesReady(clustered.url);
    clustered.signal('SIGTERM');
    // On a busy machine, the primary may exit at its deadline without waiting for its workers, which have the same deadline.
    if (!(await expectStopped(clustered))) await waitForExit([...listening()], waitLimitMs);
    expect([...listening()].filter(isAlive)).toEqual([]);
    expect(clustered.output().match(/Listening /g)).toHaveLength(1);

    let connections = 0;
    const starting = await openFaultyProxy(cluster.connection, () =>
      connections++ === 0 ? { direction: 'toServer', at: 0, act: 'cut' } : undefined,
    );
    const DATABASE_URL = databaseUrl({ ...cluster.connection, host: starting.host, port: starting.port });
    const orphaned = await startServer({ ...settings, DATABASE_URL, WORKERS: '2', JOBS: 'off' });
    expect(orphaned.output()).toContain('The database is not ready');
    const pids = await waitUntil('the log of both workers', waitLimitMs, () => {
      const found = orphaned.output().matchAll(/"pid":(\d+).*"worker":\d.*Server listening/g);
      const all = [...found].map(([, pid]) => Number(pid));
      return all.length === 2 ? all : undefined;
    });
    orphaned.signal('SIGKILL');
    await waitForExit(pids, waitLimitMs);
    await starting.close();
  });

  test('with WORKERS, a worker whose process cannot be started is started as soon as that is possible again, and delays no stop; at the start, the server ends and says why [RC-91]', async () => {
    // The primary starts its workers through this link, so that the system refuses to start them when it is missing or broken.
    const program = join(folder, 'node');
    const preload = encodeURIComponent(`process.execPath = ${JSON.stringify(program)}`);
    const linked = { ...settings, WORKERS: '2', NODE_OPTIONS: `--import=data:text/javascript,${preload}` };
    const failed = await run(process.execPath, ['src/server/main.ts'], linked);
    expect(failed).toMatchObject({ code: 1, output: expect.stringMatching(/Worker 1 .*spawn .*ENOENT/) });
    expect(failed.output).not.toContain('workers did not stop in time');

    symlinkSync(process.execPath, program);
    const clustered = await startServer({ ...linked, JOBS: 'off' });
    const output = (text: RegExp) => [...clustered.output().matchAll(text)];
    const workers = async (count: number) =>
      await waitUntil(`${count} workers`, waitLimitMs, () => {
        const listening = output(/"pid":(\d+).*"worker":\d.*Server listening/g);
        return listening.length === count ? listening.map(([, pid]) => Number(pid)) : undefined;
      });
    const failing = async (code: string, count: number) =>
      await waitUntil(
        `${count} × ${code}`,
        waitLimitMs,
        () =>
          output(new RegExp(`spawn .*${code}.*a worker ended and is replaced`, 'g')).length >= count ||
          undefined,
      );
    const [killed] = await workers(2);
    rmSync(program);
    process.kill(killed!, 'SIGKILL');
    await failing('ENOENT', 2);
    // For a link to itself, the call of Node that starts a process throws, as it does when memory is low.
    symlinkSync(program, program);
    await failing('ELOOP', 2);
    rmSync(program);
    symlinkSync(process.execPath, program);
    const pids = await workers(3);

    const before = output(/spawn .*ENOENT.*a worker ended and is replaced/g).length;
    rmSync(program);
    for (const pid of pids.filter(isAlive)) process.kill(pid, 'SIGKILL');
    await failing('ENOENT', before + 2);
    clustered.signal('SIGTERM');
    await expectStopped(clustered);
    expect(clustered.output()).not.toContain('workers did not stop in time');
  });

  test('verifies its books with `npm run ledger` [RC-20]', async () => {
    const { code, output } = await run('npm', ['run', '--silent', 'ledger', '--', 'verify'], {
      DATABASE_URL: settings.DATABASE_URL,
      APP_SECRET: settings.APP_SECRET,
    });
    expect(output).toContain('The books are true.');
    expect(code).toBe(0);
  });
});

test.skipIf(process.platform !== 'linux')(
  'a bank whose log is on a full disk keeps serving, and stops on a signal',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'larkspur-full-log-'));
    onTestFinished(async () => {
      await stopAll([folder]);
      removeFolder(folder);
    });
    const probe = createServer().listen(0, '127.0.0.1');
    await once(probe, 'listening');
    const { port } = probe.address() as AddressInfo;
    probe.close();
    await once(probe, 'close');
    const server = await startServerWithFullLog(testSettings(folder, { LOG_LEVEL: 'info' }), port);
    // Each request is a line of the log, which is written a tenth of a second later.
    for (let request = 0; request < 10; request++) {
      expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200);
      await sleep(100);
    }
    const ended = once(server, 'exit').then(([code, signal]) => ({ code, signal }));
    server.kill('SIGTERM');
    await expectStopped({ ended });
  },
);

test('the README lists exactly the demo people who show something, and what they show', () => {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  const rows = [...readme.matchAll(/^\| `([^`@]+@[^`]+)`(.*?) \| (.+) \|$/gm)].map(
    ([, email, more, shows]) => `${email}${more}: ${shows}`,
  );
  const { email, password } = demoAdmin;
  expect(rows).toEqual([
    ...demoCustomers.filter(({ shows }) => shows !== undefined).map(one => `${one.email}: ${one.shows}`),
    `${email} at \`/admin/login\`, password \`${password}\`: the administrator`,
  ]);
  expect(readme).toContain(`password is \`${demoPassword}\``);
});
