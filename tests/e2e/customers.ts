/** Customers for the journeys that are not about registering: made through the API, and time that passes for their codes. */
import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import pg from 'pg';
import { adminApi } from '#contract/admin.ts';
import { authApi } from '#contract/auth.ts';
import { openEmbedded } from '#server/db/embedded.ts';
import { admin, type RunningBank } from './bank.ts';

export const portraitPath = new URL('../../src/server/demo/portraits/ines.webp', import.meta.url).pathname;
export const password = '80412975';

export type NewCustomer = { id: string; email: string; firstName: string };

let made = 0;

/** Registers somebody new, and approves unless told not to. */
export async function newCustomer(bank: RunningBank, { approved = true } = {}): Promise<NewCustomer> {
  const email = `iris${++made}@field.example`;
  const form = new FormData();
  const texts = {
    firstName: 'Iris',
    middleName: '',
    lastName: 'Field',
    gender: 'female',
    address: '4 Meadow Row',
    region: 'New York',
    zipCode: '10014',
    email,
    phoneNumber: '2125550147',
    password,
  };
  for (const [name, value] of Object.entries(texts)) form.append(name, value);
  form.append('avatar', new Blob([readFileSync(portraitPath)], { type: 'image/webp' }), 'iris.webp');
  const { _id: id } = await ask<{ _id: string }>(`${bank.url}${authApi.register.path}`, {
    method: 'POST',
    body: form,
  });
  if (approved) {
    await ask(`${bank.url}${adminApi.approve.path.replace('{id}', id)}`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${await adminToken(bank)}` },
    });
  }
  return { id, email, firstName: texts.firstName };
}

async function adminToken(bank: RunningBank): Promise<string> {
  const { token } = await ask<{ token: string }>(`${bank.url}${adminApi.adminLogin.path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(admin),
  });
  return token;
}

async function ask<T>(url: string, init: RequestInit): Promise<T> {
  const answer = (await (await fetch(url, init)).json()) as { success: boolean; message: string; data: T };
  if (!answer.success) throw new Error(`${url}: ${answer.message}`);
  return answer.data;
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
    `UPDATE asked_addresses SET codes_asked_at = ARRAY(SELECT t - $1::interval FROM unnest(codes_asked_at) t)`,
    [`${seconds} s`],
  );
  await client.end();
  await embedded.stop();
}

/** Presses the keys of the on-screen pad. */
export async function pressKeys(page: Page, digits: string): Promise<void> {
  for (const digit of digits) await page.getByRole('button', { name: digit, exact: true }).click();
}

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
  await page.getByLabel('Digit 1 of 6').focus();
  await page.keyboard.type(code);
}

/** Logs somebody in on the login screen, until the dashboard is there. */
export async function logIn(page: Page, bank: RunningBank, email: string): Promise<void> {
  await page.goto('/login');
  await enterCredentials(page, email);
  await page.getByLabel('Digit 1 of 6').waitFor();
  await typeCode(page, await bank.newCode(email));
  await page.getByRole('button', { name: 'Verify OTP' }).click();
  await page.waitForURL('**/dashboard');
}
