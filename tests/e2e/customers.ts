/** Customers and administrators for journeys: created and logged in through the API, or logged in on the screens. */
import type { Page } from '@playwright/test';
import pg from 'pg';
import { adminApi } from '#contract/admin.ts';
import { authApi } from '#contract/auth.ts';
import type { Data, Endpoint } from '#contract/endpoint.ts';
import { openEmbedded } from '#server/embedded/embedded.ts';
import { type CallOptions, callAt, customerPassword, registrationForm } from '../call.ts';
import { retryWhileBusy } from '../waiting.ts';
import { admin, type RunningBank } from './bank.ts';

export const portraitPath = new URL('../../src/server/demo/portraits/ines.webp', import.meta.url).pathname;
export const password = customerPassword;

export type NewCustomer = { id: string; email: string; firstName: string };
/** A logged-in customer as the browser stores it. */
export type StoredCustomer = Data<typeof authApi.verifyCode>;

/** Calls an endpoint and returns its data; retries if the bank is busy. Throws if the call is refused. */
export async function callOrThrow<E extends Endpoint>(
  bank: Pick<RunningBank, 'url'>,
  endpoint: E,
  options?: CallOptions,
): Promise<Data<E>> {
  const { body } = await retryWhileBusy(() => callAt(bank.url, endpoint, options));
  if (!body.success) throw new Error(`${endpoint.method} ${endpoint.path}: ${JSON.stringify(body)}`);
  return body.data;
}

let count = 0;

/** Registers a customer, and approves the account unless `approved` is false. */
export async function newCustomer(
  bank: RunningBank,
  { approved = true, firstName = 'Iris', lastName = 'Field' } = {},
): Promise<NewCustomer> {
  const email = `${firstName.toLowerCase()}${++count}@field.example`;
  const { _id: id } = await callOrThrow(bank, authApi.register, {
    body: registrationForm({ firstName, lastName, email }),
  });
  if (approved) await callOrThrow(bank, adminApi.approve, { params: { id }, token: await adminToken(bank) });
  return { id, email, firstName };
}

const adminSessions = new Map<string, Promise<Data<typeof adminApi.adminLogin>>>();

/** Returns the stored session of the logged-in administrator. All tests of a bank share it, so no test may log it out. */
export async function adminSession(
  bank: Pick<RunningBank, 'url'>,
): Promise<Data<typeof adminApi.adminLogin>> {
  const session = adminSessions.get(bank.url) ?? callOrThrow(bank, adminApi.adminLogin, { body: admin });
  adminSessions.set(bank.url, session);
  session.catch(() => adminSessions.delete(bank.url));
  return await session;
}

export const adminToken = async (bank: RunningBank): Promise<string> => (await adminSession(bank)).token;

/** Logs in a customer through the API, without the screens. */
export async function logInThroughApi(bank: RunningBank, email: string): Promise<StoredCustomer> {
  await callOrThrow(bank, authApi.initiateLogin, { body: { email, password } });
  return await callOrThrow(bank, authApi.verifyCode, { body: { email, otp: await bank.newCode(email) } });
}

/** Runs statements on the database of a bank, as its owner. */
export async function asOwner(bank: RunningBank, ...statements: string[]): Promise<void> {
  const embedded = await openEmbedded({ dataDir: bank.dataDir });
  const client = new pg.Client(embedded.connection);
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
  await embedded.stop();
}

/** Makes all codes of the bank, and the recorded requests for codes, `seconds` older. */
export const ageCodes = (bank: RunningBank, seconds: number): Promise<void> => {
  const age = `interval '${seconds} s'`;
  return asOwner(
    bank,
    `UPDATE codes SET begun_at = begun_at - ${age}, created_at = created_at - ${age}, expires_at = expires_at - ${age}`,
    `UPDATE address_attempts SET codes_requested_at = ARRAY(SELECT t - ${age} FROM unnest(codes_requested_at) t)`,
  );
};

export async function pressKeypad(page: Page, digits: string): Promise<void> {
  for (const digit of digits) await page.getByRole('button', { name: digit, exact: true }).click();
}

/** Returns a box for one digit of a code; the first is 1. */
export const codeBox = (page: Page, digit: number) => page.getByLabel(`Digit ${digit} of 6`);
export const dialog = (page: Page) => page.getByRole('dialog');

/** Returns the submit button of the login's first step; the top bar has a link with the same name. */
export function loginButton(page: Page) {
  return page.locator('main').getByRole('button', { name: 'Login', exact: true });
}

/** Submits the first step of the login. */
export async function enterCredentials(page: Page, email: string, digits = password): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(digits);
  await loginButton(page).click();
}

/** Types a code into the boxes, replacing their contents. */
export async function typeCode(page: Page, code: string): Promise<void> {
  await codeBox(page, 1).focus();
  await page.keyboard.type(code);
}

/** Logs in a customer on the login screen; resolves when the dashboard is open. */
export async function logIn(page: Page, bank: RunningBank, email: string): Promise<void> {
  await page.goto('/login');
  await enterCredentials(page, email);
  await codeBox(page, 1).waitFor();
  await typeCode(page, await bank.newCode(email));
  await page.getByRole('button', { name: 'Verify OTP' }).click();
  await page.waitForURL('**/dashboard');
}
