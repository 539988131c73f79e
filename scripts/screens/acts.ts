/** The clicks and inputs on a screen before its screenshot is taken. */
import type { Page } from '@playwright/test';
import { authApi } from '#contract/auth.ts';
import * as person from '../../tests/e2e/customers.ts';

/** Demo customers: with a rich history, empty, pending, frozen, with a long name, and one to send money to. */
export const customers = {
  amara: 'amara@lindqvist.example',
  jun: 'jun.takeda@inkstone.example',
  odile: 'odile@marchetti.example',
  mateo: 'mateo@brandtroofing.example',
  maximiliana: 'maximiliana.bartholomew@longmeadow.example',
  ines: 'ines.caldeira@posta.example',
};
export type Customer = keyof typeof customers;
export type Sessions = Record<Customer, person.StoredCustomer>;
export type Act = (page: Page, sessions: Sessions) => Promise<unknown>;

export function all(...acts: Act[]): Act {
  return async (page, sessions) => {
    for (const act of acts) await act(page, sessions);
  };
}
export function press(name: string | RegExp): Act {
  return page => page.getByRole('button', { name, exact: true }).first().click();
}
export function open(css: string): Act {
  return page => page.locator(css).first().click();
}
/** Fills in fields by their names. */
export function fill(fields: Record<string, string>): Act {
  return async page => {
    for (const [name, text] of Object.entries(fields)) await page.locator(`main [name=${name}]`).fill(text);
  };
}
export function shows(text: string): Act {
  return page => page.getByText(text).first().waitFor();
}
export function ofRow(text: string, css: string): Act {
  return open(`tr:has-text("${text}") ${css}`);
}
export const inDialog: Act = page => person.dialog(page).first().waitFor();
export const submit = open('main form [type=submit]');
export const upload: Act = async page => {
  for (const input of await page.locator('main [type=file]').all())
    await input.setInputFiles(person.portraitPath);
};
export const everyTable: Act = async page => {
  for (const summary of await page.locator('main summary').all()) await summary.click();
};
/** Advances the page's clock by fifteen and a half minutes without user activity. */
export const idle: Act = async page => {
  await page.clock.setFixedTime((await page.evaluate(() => Date.now())) + 930_000);
  await page.evaluate(() => dispatchEvent(new Event('focus')));
  await page.getByRole('alertdialog').or(person.dialog(page)).first().waitFor();
};

export function credentials(email: string): Act {
  return page => person.enterCredentials(page, email);
}
export function code(digits: string): Act {
  return page => person.typeCode(page, digits);
}
export const toCode = all(credentials(customers.amara), page => person.codeBox(page, 1).waitFor());
/** Answers a call with success, without the bank. */
function grant({ path }: { path: string }, dataOf: (sessions: Sessions) => object): Act {
  return (page, sessions) =>
    page.route(`**${path}`, route =>
      route.fulfill({ json: { success: true, message: '', data: dataOf(sessions) } }),
    );
}
export function logIn(name: Customer): Act {
  return all(
    toCode,
    grant(authApi.verifyCode, sessions => sessions[name]),
    code('123456'),
    submit,
    inDialog,
  );
}
export const applicant = all(
  fill({
    firstName: 'Ottoline',
    lastName: 'Marsh',
    address: '18 Meadow Row',
    region: 'New York',
    zipCode: '10014',
  }),
  fill({ email: 'ottoline@marsh.example', phoneNumber: '2125550147', password: person.password }),
  page => page.getByText('Female', { exact: true }).click(),
  upload,
);
export const register = all(
  grant(authApi.register, ({ amara: { _id, email } }) => ({ _id, email, isApproved: false })),
  applicant,
  submit,
  inDialog,
);
export const toNewPassword = all(
  fill({ email: 'stranger@field.example' }),
  submit,
  code('123456'),
  submit,
  page => page.locator('main [type=password]').first().waitFor(),
);

export function toInes(amount: string): Act {
  return async (page, { ines }) => {
    await page.getByLabel('Receiver’s account number').fill(ines.accountNumber);
    await page.locator('[name=amount]').fill(amount);
    await page.getByText('Ines Caldeira').first().waitFor();
  };
}
export const external: Act = page => page.getByText('External Transfer', { exact: true }).click();
export const toBarclays = all(
  external,
  page => page.locator('main select').selectOption('Barclays'),
  fill({ accountName: 'Hollis Vane', receiverAccountNumber: 'CH9300762011623852957', amount: '310.50' }),
);
export const credit: Act = async (page, sessions) => {
  await fill({ userAccountNumber: sessions.ines.accountNumber, amount: '1250.50', description: 'Goodwill' })(
    page,
    sessions,
  );
  await page.getByText('Ines Caldeira').first().waitFor();
};
