/**
 * A complete bank for one test file: the production wiring on its own database, listening on loopback, with a real mail
 * server. Customers are created through the API (`customer`) or inserted (`seeded`).
 */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pino } from 'pino';
import { adminApi } from '#contract/admin.ts';
import { authApi } from '#contract/auth.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { type Bank, openBank } from '#server/bank.ts';
import { type Config, readConfig } from '#server/config.ts';
import { reservePort } from '#server/http/reservedPort.ts';
import { createAdmin } from '#server/people/admins.ts';
import { type ApiAnswer, type CallOptions, callAt, customerPassword, registrationForm } from './call.ts';
import { adminLogin, testAppSecret } from './cluster.ts';
import { createClone, type TestDatabase } from './database.ts';
import { creditCustomer, type SeededCustomer, type SeedOptions, seedCustomer } from './seedCustomers.ts';
import { eventually, lockWaits, retryWhileBusy } from './waiting.ts';

export { adminLogin, eventually, lockWaits };

export type TestCustomer = {
  _id: string;
  email: string;
  token: string;
  accountNumber: string;
  firstName: string;
};

export type TestBank = {
  url: string;
  bank: Bank;
  test: TestDatabase;
  /** Calls this bank with `callAt`, and retries a call that ran out of time on a busy machine. */
  call: <E extends Endpoint>(endpoint: E, asked?: CallOptions) => Promise<ApiAnswer<E>>;
  form: typeof registrationForm;
  /** Registers, approves (unless `approved` is false), credits and logs in a new customer. */
  customer: (wanted?: { dollars?: number; approved?: boolean; firstName?: string }) => Promise<TestCustomer>;
  /** Inserts a customer with a session and a balance but no password or mails, which is much faster than `customer`. */
  seeded: (wanted?: SeedOptions & { cents?: bigint }) => Promise<SeededCustomer>;
  /** Logs in a registered customer with password and mailed code, through `client` if given; returns the token. */
  login: (email: string, client?: TestBank['call']) => Promise<string>;
  /** Returns the newest code mailed to an address; waits until more than `after` codes have been mailed to it. */
  mailedCode: (email: string, after?: number) => Promise<string>;
  /** Resolves when no mail job is left, so that a test can see that a mail was not sent. Transfer mails have no job. */
  mailsSent: () => Promise<unknown>;
  adminToken: () => Promise<string>;
  /** The file names of the stored pictures. */
  pictures(): string[];
  close: () => Promise<void>;
};

/** Opens a bank. `env` overrides settings. */
export async function openTestBank(env: Record<string, string> = {}): Promise<TestBank> {
  const APP_SECRET = env.APP_SECRET ?? testAppSecret;
  // The administrator in `template_staffed` is encrypted with the default secret.
  const isStaffed = APP_SECRET === testAppSecret;
  const { connection, drop } = await createClone(isStaffed ? 'template_staffed' : 'template_bank');
  const dataDir = mkdtempSync(join(tmpdir(), 'larkspur-bank-'));
  const config = readConfig({
    DATA_DIR: dataDir,
    DEMO: '0',
    ADMIN_EMAIL: adminLogin.email,
    ADMIN_PASSWORD: adminLogin.password,
    RATE_LIMITS: 'off',
    APP_SECRET,
    ...env,
  });
  const { port, release } = await reservePort('127.0.0.1');
  const url = `http://127.0.0.1:${port}`;
  const log = pino({ level: process.env.TEST_LOG ?? 'silent' });
  const bank = await openBank(config, connection, url, log);
  if (!isStaffed) await createAdmin(bank.parts, { ...adminLogin, name: 'Ada Admin' });
  await release();
  await bank.app.listen({ port, host: '127.0.0.1' });

  const call: TestBank['call'] = (endpoint, asked) => retryWhileBusy(() => callAt(url, endpoint, asked));
  const inboxOf = (email: string) => bank.parts.inbox!.list(email);

  const mailedCode: TestBank['mailedCode'] = (email, after = 0) =>
    eventually(() => {
      const codes = inboxOf(email)
        .map(mail => /\b(\d{6})\b/.exec(mail.text)?.[1])
        .filter(found => found !== undefined);
      return codes.length > after ? codes[0] : undefined;
    });

  const mailsSent = () =>
    eventually(async () => {
      const waiting = "SELECT FROM graphile_worker.jobs WHERE task_identifier = 'mail'";
      return (await bank.parts.database.ownerPool.query(waiting)).rowCount === 0 || undefined;
    });

  const login: TestBank['login'] = async (email, client = call) => {
    const before = inboxOf(email).filter(mail => /\b\d{6}\b/.test(mail.text)).length;
    const begun = await client(authApi.initiateLogin, { body: { email, password: customerPassword } });
    if (begun.status !== 200) throw new Error(`login refused: ${JSON.stringify(begun.body)}`);
    const otp = await mailedCode(email, before);
    return (await client(authApi.verifyCode, { body: { email, otp } })).body.data.token;
  };

  let admin: Promise<string> | undefined;
  const adminToken = () => {
    admin ??= call(adminApi.adminLogin, { body: adminLogin }).then(answer => answer.body.data.token);
    return admin;
  };

  const customer: TestBank['customer'] = async ({
    dollars = 0,
    approved = true,
    firstName = 'Nora',
  } = {}) => {
    const registered = await call(authApi.register, { body: registrationForm({ firstName }) });
    if (registered.status !== 201)
      throw new Error(`registration refused: ${JSON.stringify(registered.body)}`);
    const { _id, email } = registered.body.data;
    const token = await adminToken();
    if (approved) await call(adminApi.approve, { params: { id: _id }, token });
    const own = await login(email);
    const { accountNumber } = (await call(authApi.profile, { token: own })).body.data;
    if (dollars > 0) {
      const body = { userAccountNumber: accountNumber, amount: dollars, description: 'start' };
      const credited = await call(adminApi.credit, { body, token });
      if (credited.status !== 201) throw new Error(`credit refused: ${JSON.stringify(credited.body)}`);
    }
    return { _id, email, token: own, accountNumber, firstName };
  };

  const seeded: TestBank['seeded'] = async ({ cents = 0n, ...wanted } = {}) => {
    const { database, tokens, ledger } = bank.parts;
    const made = await seedCustomer(database, tokens, wanted);
    if (cents > 0n) await creditCustomer(ledger, made, cents);
    return made;
  };

  return {
    url,
    bank,
    test: { connection, database: bank.parts.database, drop },
    call,
    form: registrationForm,
    customer,
    seeded,
    login,
    mailedCode,
    mailsSent,
    adminToken,
    pictures: () =>
      readdirSync(join(dataDir, 'files'), { recursive: true, encoding: 'utf8' })
        .map(path => basename(path))
        .filter(name => name.endsWith('.webp')),
    async close() {
      await bank.stop();
      await drop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Opens a second bank on the same database, as a second server process would. By default, it runs no jobs. */
export async function openSecondBank(
  { bank, test }: TestBank,
  settings: Partial<Config> = {},
): Promise<{ bank: Bank; url: string }> {
  const { config, publicUrl } = bank.parts;
  const log = pino({ level: 'silent' });
  const other = await openBank({ ...config, jobs: false, ...settings }, test.connection, publicUrl, log);
  return { bank: other, url: await other.app.listen({ port: 0, host: '127.0.0.1' }) };
}
