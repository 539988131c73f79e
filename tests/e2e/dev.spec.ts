/**
 * `npm run dev`: what a change of the code does to a bank that is open in a browser. It runs in a copy of the product, so that no
 * changed file is left behind.
 */
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { adminApi } from '#contract/admin.ts';
import { demoCustomers } from '#server/demo/people.ts';
import { exists } from '#server/embedded/processes.ts';
import {
  databasePid,
  endAll,
  gone,
  ownerPid,
  ownSettings,
  type ServerProcess,
  startServer,
  until,
} from '../serverProcess.ts';
import { admin, newCodesAt, type RunningBank } from './bank.ts';
import { adminToken, callOrThrow, logInThroughApi, newCustomer, type StoredCustomer } from './customers.ts';
import { visit } from './visit.ts';

const stopWithinMs = 10_000;
const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'larkspur-dev-'));
const copy = join(folder, 'product');
const dataDirs = ['data', 'data-two'].map(name => join(copy, name));
const parts = [
  'src',
  'db',
  'scripts',
  'package.json',
  'package-lock.json',
  'vite.config.ts',
  'tsconfig.base.json',
];

let one: ServerProcess;
let two: ServerProcess;
let bank: RunningBank;
let nora: StoredCustomer;

test.beforeAll(async () => {
  test.setTimeout(120_000);
  for (const part of parts) cpSync(join(root, part), join(copy, part), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  const start = (dataDir: string, DEMO: string) => {
    const people = { DEMO, ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password };
    return startServer(ownSettings(dataDir, people), 'npm run dev', copy);
  };
  [one, two] = await Promise.all([start(dataDirs[0]!, '1'), start(dataDirs[1]!, '0')]);
  bank = { url: one.url, dataDir: dataDirs[0]!, newCode: newCodesAt(one.url), stop: async () => {} };
  const { email } = await newCustomer(bank, { firstName: 'Nora' });
  nora = await logInThroughApi(bank, email);
});
test.afterAll(async () => {
  await endAll(dataDirs);
  rmSync(folder, { recursive: true, force: true });
});

test.afterEach(() => {
  const { status, expectedStatus } = test.info();
  if (status !== expectedStatus) process.stdout.write(one.said());
});

/** Changes a file of the copy. Returns how to undo it. */
function change(path: string, find: string, put: string): () => void {
  const file = join(copy, path);
  const text = readFileSync(file, 'utf8');
  expect(text).toContain(find);
  writeFileSync(file, text.replace(find, put));
  return () => writeFileSync(file, text);
}

const health = async () => {
  const answer = await fetch(`${one.url}/healthz`);
  return { status: answer.status, body: (await answer.json()) as Record<string, string> };
};

test('two instances run side by side, print who can log in, and serve mails and pictures but no secrets', async ({
  page,
}) => {
  expect(one.said()).toContain(demoCustomers[0]!.email);
  expect(two.said()).not.toContain(demoCustomers[0]!.email);
  await page.goto(`${two.url}/login`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.goto(`${one.url}/dev/inbox?to=${nora.email}`);
  await expect(page.getByText(nora.email).first()).toBeVisible();
  const secret = await fetch(`${one.url}/@fs${dataDirs[0]}/secrets/app-secret?raw`);
  expect(secret.status).toBe(403);
  const picture = await page.request.get(`${one.url}${nora.avatar?.url}`);
  expect(picture.headers()['content-type']).toBe('image/webp');
});

test('a changed screen shows without a reload, and the page goes on', async ({ browser }) => {
  const { page, expectErrors, close } = await visit(browser, one.url, undefined, { user: nora });
  const hearsOfChanges = page.waitForEvent('console', line => line.text() === '[vite] connected.');
  await page.goto('/dashboard');
  await hearsOfChanges;
  await page.getByRole('button', { name: 'Hide balance' }).click();
  await expect(page.getByRole('button', { name: 'Show balance' })).toBeVisible();
  const undo = change('src/web/features/dashboard/words.ts', "'Show balance'", "'Reveal it'");
  await expect(page.getByRole('button', { name: 'Reveal it' })).toBeVisible();
  undo();
  await expect(page.getByRole('button', { name: 'Show balance' })).toBeVisible();
  expectErrors();
  await close();
});

test('a server change takes effect, and live updates reach an open page through the new server', async ({
  browser,
}) => {
  const { page, close } = await visit(browser, one.url, undefined, { user: nora });
  await page.goto('/dashboard');
  const balance = page.getByRole('region', { name: 'Balance' });
  await expect(balance).toContainText('$0.00');
  const undo = change('src/server/http/health.ts', "status: 'up'", "status: 'changed'");
  await expect.poll(async () => (await health()).body.status).toBe('changed');
  const body = { userAccountNumber: nora.accountNumber, amount: 12.5, description: 'start' };
  await callOrThrow(bank, adminApi.credit, { body, token: await adminToken(bank) });
  await expect(balance).toContainText('$12.50');
  undo();
  await expect.poll(async () => (await health()).body.status).toBe('up');
  await close();
});

test('a server that cannot start answers 503, and runs again when its code is fixed', async () => {
  const undo = change('src/server/http/health.ts', 'export function', 'export functoin');
  await expect.poll(async () => (await health()).status).toBe(503);
  expect((await health()).body.message).toContain('The server ended with 1.');
  expect(one.said()).toContain('health.ts');
  expect((await fetch(`${one.url}/login`, { headers: { accept: 'text/html' } })).status).toBe(200);
  undo();
  await expect.poll(health).toEqual({ status: 200, body: { status: 'up' } });
});

test('Ctrl-C, and SIGTERM to npm alone, end everything within ten seconds', async () => {
  const all = dataDirs.flatMap(dataDir => [ownerPid(dataDir), databasePid(dataDir)]);
  one.signalGroup('SIGINT');
  two.signal('SIGTERM');
  await gone(all, stopWithinMs);
  // The child processes are in the group of the npm that started them.
  for (const { pid } of [one, two])
    await until('every process to end', stopWithinMs, () => (exists(-pid) ? undefined : true));
  expect(dataDirs.map(dataDir => existsSync(join(dataDir, 'owner.lock')))).toEqual([false, false]);
});
