/** People for the journeys: made and logged in through the API where the screens are not the point, and their keys and codes. */
import type { Page } from '@playwright/test';
import pg from 'pg';
import { adminApi } from '#contract/admin.ts';
import { authApi } from '#contract/auth.ts';
import type { Data, Endpoint } from '#contract/endpoint.ts';
import { openEmbedded } from '#server/embedded/embedded.ts';
import { type CallOptions, callAt, customerPassword, registrationForm } from '../call.ts';
import { untilNotBusy } from '../waiting.ts';
import { admin, type RunningBank } from './bank.ts';

export const portraitPath = new URL('../../src/server/demo/portraits/ines.webp', import.meta.url).pathname;
export const password = customerPassword;

export type NewCustomer = { id: string; email: string; firstName: string };
/** What a browser keeps of a customer who is logged in. */
export type LoggedIn = Data<typeof authApi.verifyCode>;

/** Makes a call of the contract and gives its data; throws where it is refused. */
export async function ask<E extends Endpoint>(
  bank: Pick<RunningBank, 'url'>,
  endpoint: E,
  asked?: CallOptions,
): Promise<Data<E>> {
  const { body } = await untilNotBusy(() => callAt(bank.url, endpoint, asked));
  if (!body.success) throw new Error(`${endpoint.method} ${endpoint.path}: ${JSON.stringify(body)}`);
  return body.data;
}

let made = 0;

/** Registers somebody new, and approves unless told not to. */
export async function newCustomer(
  bank: RunningBank,
  { approved = true, firstName = 'Iris', lastName = 'Field' } = {},
): Promise<NewCustomer> {
  const email = `${firstName.toLowerCase()}${++made}@field.example`;
  const { _id: id } = await ask(bank, authApi.register, {
    body: registrationForm({ firstName, lastName, email }),
  });
  if (approved) await ask(bank, adminApi.approve, { params: { id }, token: await adminToken(bank) });
  return { id, email, firstName };
}

const adminSessions = new Map<string, Promise<Data<typeof adminApi.adminLogin>>>();

/** What a browser keeps of the administrator who is logged in: the same session each time, for nobody to log out. */
export async function adminSession(
  bank: Pick<RunningBank, 'url'>,
): Promise<Data<typeof adminApi.adminLogin>> {
  const session = adminSessions.get(bank.url) ?? ask(bank, adminApi.adminLogin, { body: admin });
  adminSessions.set(bank.url, session);
  session.catch(() => adminSessions.delete(bank.url));
  return await session;
}

/** The token of `adminSession`. */
export const adminToken = async (bank: RunningBank): Promise<string> => (await adminSession(bank)).token;

/** Logs a customer in without the screens, which have a journey of their own. */
export async function logInByCalls(bank: RunningBank, email: string): Promise<LoggedIn> {
  await ask(bank, authApi.initiateLogin, { body: { email, password } });
  return await ask(bank, authApi.verifyCode, { body: { email, otp: await bank.newCode(email) } });
}

/** Makes every code of the bank older by some seconds, as if that much time had passed. */
export async function passForCodes(bank: RunningBank, seconds: number): Promise<void> {
  const embedded = await openEmbedded({ dataDir: bank.dataDir });
  const client = new pg.Client(embedded.connection);
  await client.connect();
  await client.query(
    `UPDATE codes SET begun_at = begun_at - $1::interval, created_at = created_at - $1::interval,
                      expires_at = expires_at - $1::interval`,
    [`${seconds} s`],
  );
  await client.query(
    `UPDATE address_attempts SET codes_requested_at = ARRAY(SELECT t - $1::interval FROM unnest(codes_requested_at) t)`,
    [`${seconds} s`],
  );
  await client.end();
  await embedded.stop();
}

/** Presses the keys of the on-screen pad. */
export async function pressKeys(page: Page, digits: string): Promise<void> {
  for (const digit of digits) await page.getByRole('button', { name: digit, exact: true }).click();
}

/** One of the boxes for a code, from 1 on. */
export const box = (page: Page, place: number) => page.getByLabel(`Digit ${place} of 6`);
export const dialog = (page: Page) => page.getByRole('dialog');

/** The submit button of the login's first step; the top bar has a link of the same name. */
export function loginButton(page: Page) {
  return page.locator('main').getByRole('button', { name: 'Login', exact: true });
}

/** The first step of the login, up to the boxes for the code. */
export async function enterCredentials(page: Page, email: string, digits = password): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(digits);
  await loginButton(page).click();
}

/** Types a code into the boxes, whatever stands in them. */
export async function typeCode(page: Page, code: string): Promise<void> {
  await box(page, 1).focus();
  await page.keyboard.type(code);
}

/** Logs somebody in on the login screen, until the dashboard is there. */
export async function logIn(page: Page, bank: RunningBank, email: string): Promise<void> {
  await page.goto('/login');
  await enterCredentials(page, email);
  await box(page, 1).waitFor();
  await typeCode(page, await bank.newCode(email));
  await page.getByRole('button', { name: 'Verify OTP' }).click();
  await page.waitForURL('**/dashboard');
}
