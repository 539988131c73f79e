/**
 * `npm run dev`: the effect of code changes on a bank that is open in a browser. It runs in a copy of the repository, so that
 * no changed file is left behind.
 */
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { adminApi } from '#contract/admin.ts';
import { demoCustomers } from '#server/demo/people.ts';
import { isAlive } from '#server/embedded/embedded.ts';
import {
  databasePid,
  ownerPid,
  removeFolder,
  type ServerProcess,
  startServer,
  stopAll,
  testSettings,
  waitForExit,
} from '../serverProcess.ts';
import { waitUntil } from '../waiting.ts';
import { admin, inboxAt, type RunningBank } from './bank.ts';
import { adminToken, callOrThrow, logInThroughApi, newCustomer, type StoredCustomer } from './customers.ts';
import { visit } from './visit.ts';

const maxStopMs = 10_000;
const root = fileURLToPath(new URL('../..', import.meta.url));
const parts = [
  'src',
  'db',
  'scripts',
  'package.json',
  'package-lock.json',
  'vite.config.ts',
  'tsconfig.base.json',
];

let copy: string;
let dataDirs: [string, string];
let first: ServerProcess;
let second: ServerProcess;
let bank: RunningBank;
let nora: StoredCustomer;

test.beforeAll(async () => {
  test.setTimeout(600_000);
  copy = mkdtempSync(join(tmpdir(), 'larkspur-dev-'));
  dataDirs = [join(copy, 'data'), join(copy, 'data-two')];
  for (const part of parts) cpSync(join(root, part), join(copy, part), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  const start = (dataDir: string, DEMO: string) => {
    const people = { DEMO, ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password };
    return startServer(testSettings(dataDir, people), 'npm run dev', copy);
  };
  [first, second] = await Promise.all([start(dataDirs[0], '1'), start(dataDirs[1], '0')]);
  bank = { url: first.url, dataDir: dataDirs[0], ...inboxAt(first.url), stop: async () => {} };
  const { email } = await newCustomer(bank, { firstName: 'Nora' });
  nora = await logInThroughApi(bank, email);
});
test.afterAll(async () => {
  await stopAll(dataDirs);
  removeFolder(copy);
});

test.afterEach(() => {
  const { status, expectedStatus } = test.info();
  if (status !== expectedStatus) process.stdout.write(first.output());
});

/** Replaces text in a file of the copy. Returns a function that undoes it. */
function change(path: string, find: string, replacement: string): () => void {
  const file = join(copy, path);
  const text = readFileSync(file, 'utf8');
  expect(text).toContain(find);
  // Replaced atomically, as editors do: a watcher must not read a file that is half written.
  const replace = (content: string) => {
    writeFileSync(`${file}.new`, content);
    renameSync(`${file}.new`, file);
  };
  replace(text.replace(find, replacement));
  return () => replace(text);
}

const health = async () => {
  const answer = await fetch(`${first.url}/healthz`);
  return { status: answer.status, body: (await answer.json()) as Record<string, string> };
};

test('two instances run side by side, print who can log in, and serve mails and pictures but no secrets', async ({
  page,
}) => {
  expect(first.output()).toContain(demoCustomers[0]!.email);
  expect(second.output()).not.toContain(demoCustomers[0]!.email);
  await page.goto(`${second.url}/login`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.goto(`${first.url}/dev/inbox?to=${nora.email}`);
  await expect(page.getByText(nora.email).first()).toBeVisible();
  const secret = await fetch(`${first.url}/@fs${dataDirs[0]}/secrets/app-secret?raw`);
  expect(secret.status).toBe(403);
  const picture = await page.request.get(`${first.url}${nora.avatar?.url}`);
  expect(picture.headers()['content-type']).toBe('image/webp');
});

test('a changed screen shows without a reload, and the page keeps its state', async ({ browser }) => {
  const { page, expectErrors, close } = await visit(browser, first.url, undefined, { user: nora });
  const connected = page.waitForEvent('console', message => message.text() === '[vite] connected.');
  await page.goto('/dashboard');
  await connected;
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
  const { page, close } = await visit(browser, first.url, undefined, { user: nora });
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

test('while the server cannot start, calls answer 503; it runs again when its code is fixed', async () => {
  const undo = change('src/server/http/health.ts', 'export function', 'export functoin');
  await expect.poll(async () => (await health()).status).toBe(503);
  expect((await health()).body.message).toContain('The server ended with 1.');
  expect(first.output()).toContain('health.ts');
  expect((await fetch(`${first.url}/login`, { headers: { accept: 'text/html' } })).status).toBe(200);
  undo();
  await expect.poll(health).toEqual({ status: 200, body: { status: 'up' } });
});

test('Ctrl-C, and SIGTERM sent only to npm, stop everything within ten seconds', async () => {
  const all = dataDirs.flatMap(dataDir => [ownerPid(dataDir), databasePid(dataDir)]);
  first.signalGroup('SIGINT');
  second.signal('SIGTERM');
  const limitMs = maxStopMs * Math.max(first.slowness, second.slowness);
  await waitForExit(all, limitMs);
  // npm and all its child processes are in one process group, whose id is npm's process id.
  for (const { pid } of [first, second])
    await waitUntil('every process to end', limitMs, () => (isAlive(-pid) ? undefined : true));
  expect(dataDirs.map(dataDir => existsSync(join(dataDir, 'owner.lock')))).toEqual([false, false]);
});
