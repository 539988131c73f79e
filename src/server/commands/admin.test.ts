/** `npm run admin`, run as a process beside a bank that serves. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { adminApi } from '#contract/admin.ts';
import { openTestBank, type TestBank } from '../../../tests/server.ts';

const secret = 'a secret that the server and the command share';
const command = fileURLToPath(new URL('./admin.ts', import.meta.url));

let bank: TestBank;
beforeAll(async () => {
  bank = await openTestBank({ APP_SECRET: secret });
});
afterAll(() => bank.close());

function run(...words: string[]): Promise<{ code: number | null; said: string; complained: string }> {
  const { host, port, user, password, database } = bank.test.connection;
  const url = `postgres://${user}:${String(password)}@${encodeURIComponent(host!)}:${port}/${database}`;
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const child = spawn(process.execPath, [command, ...words], {
    env: { PATH, NODE_COMPILE_CACHE, DATABASE_URL: url, APP_SECRET: secret },
  });
  let said = '';
  let complained = '';
  child.stdout.on('data', data => {
    said += data;
  });
  child.stderr.on('data', data => {
    complained += data;
  });
  return new Promise(resolve => child.once('close', code => resolve({ code, said, complained })));
}

const printed = (said: string) => /^ {2}([A-Za-z2-9]{24})$/m.exec(said)?.[1] ?? '';
const login = (email: string, password: string) =>
  bank.call(adminApi.adminLogin, { body: { email, password } });
const stats = async (token: string) => (await bank.call(adminApi.adminStats, { token })).status;

async function recorded(): Promise<{ action: string; actorKind: string; subjectName: string }[]> {
  const token = await bank.adminToken();
  const { body } = await bank.call(adminApi.auditLog, { token, query: { actorKind: 'system' } });
  return body.data.records
    .filter(({ action }) => action.startsWith('admin.'))
    .map(({ action, actorKind, subjectName }) => ({ action, actorKind, subjectName }));
}

describe('the command line', () => {
  test('makes an administrator who can log in with the password it printed', async () => {
    const { code, said } = await run('create', 'Ida@bank.example');
    expect(code).toBe(0);
    expect((await login('ida@bank.example', printed(said))).status).toBe(200);
    expect((await recorded())[0]).toEqual({
      action: 'admin.created',
      actorKind: 'system',
      subjectName: 'ida',
    });
    expect(await run('create', 'ida@bank.example')).toMatchObject({ code: 1, said: '' });
  });

  test('gives a new password: the old one and every session are worth nothing', async () => {
    const { said } = await run('create', 'olga@bank.example');
    const former = printed(said);
    const { token } = (await login('olga@bank.example', former)).body.data;
    expect(await stats(token)).toBe(200);
    const reset = await run('reset-password', 'olga@bank.example');
    expect(reset.code).toBe(0);
    expect(await stats(token)).toBe(401);
    expect((await login('olga@bank.example', former)).status).toBe(401);
    expect((await login('olga@bank.example', printed(reset.said))).status).toBe(200);
    expect((await recorded())[0]).toMatchObject({ action: 'admin.password-reset', subjectName: 'olga' });
    expect((await run('reset-password', 'nobody@bank.example')).code).toBe(1);
  });

  test('disables at once, for good, and keeps the record', async () => {
    const { said } = await run('create', 'uma@bank.example');
    const { token } = (await login('uma@bank.example', printed(said))).body.data;
    expect((await run('disable', 'uma@bank.example')).code).toBe(0);
    expect(await stats(token)).toBe(401);
    expect((await login('uma@bank.example', printed(said))).status).toBe(401);
    expect((await recorded())[0]).toMatchObject({ action: 'admin.disabled', subjectName: 'uma' });
    expect((await run('disable', 'uma@bank.example')).complained).toContain('was disabled before');
    expect((await run('reset-password', 'uma@bank.example')).code).toBe(1);
    const { said: all } = await run('list');
    expect(all).toMatch(/^uma@bank\.example\tuma\tcreated [\d-]{10}\tdisabled [\d-]{10}$/m);
    expect(all).toMatch(/^admin@bank\.example\tAda Admin\tcreated [\d-]{10}\tenabled$/m);
  });

  test('does not disable the last administrator unless that is said, and then ends every session too', async () => {
    const { ownerPool } = bank.test.database;
    await ownerPool.query(
      `UPDATE admins SET disabled_at = now() WHERE email <> 'admin@bank.example' AND disabled_at IS NULL`,
    );
    const token = await bank.adminToken();
    const refused = await run('disable', 'admin@bank.example');
    expect(refused.code).toBe(1);
    expect(refused.complained).toContain('is the last administrator');
    expect(await stats(token)).toBe(200);
    expect((await run('disable', 'admin@bank.example', '--last')).code).toBe(0);
    expect(await stats(token)).toBe(401);
  });

  test.each([
    [],
    ['create'],
    ['create', 'x'],
    ['destroy', 'admin@bank.example'],
    ['list', 'x'],
    ['create', 'eva@bank.example', '--last'],
    ['disable', 'admin@bank.example', '--force'],
  ])('says how it is used: %o', async (...words) => {
    const { code, complained, said } = await run(...words);
    expect(code).toBe(2);
    expect(said).toBe('');
    expect(complained).toMatch(/^(Usage:|Please enter a valid email address|Unknown option '--force')/);
  });
});
