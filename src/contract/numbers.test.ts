/**
 * Limits and delays of the specification's chapter 9 and of the product's decisions, as literals: other tests import the
 * constants instead of repeating the numbers. Also compares numbers in sentences with the constants.
 */
import { describe, expect, test } from 'vitest';
import {
  accountNumber,
  admin,
  contact,
  externalAccountNumber,
  externalTransfer,
  image,
  login,
  maxJsonBytes,
  maxLength,
  password,
  phone,
  registration,
  session,
  toast,
} from './constants.ts';
import * as adminMessages from './messages/admin.ts';
import * as appMessages from './messages/app.ts';
import * as errorMessages from './messages/errors.ts';
import * as registerMessages from './messages/register.ts';
import * as settingsMessages from './messages/settings.ts';
import * as transactionsMessages from './messages/transactions.ts';
import * as transferMessages from './messages/transfer.ts';

describe('a constant', () => {
  test.each([
    ['a customer who logged in is redirected after 1.5 seconds [L-19]', login.redirectDelayMs, 1500],
    ['a contact message is sent after 1.5 seconds [H-23]', contact.sendDelayMs, 1500],
    ['a search waits for 500 ms without typing [A-37]', admin.searchDebounceMs, 500],
    ["an administrator's failed login is shown for 3 seconds [AL-03]", admin.loginErrorMs, 3000],
    ["a credit form's amount starts at 0 [A-14]", admin.creditMinDollars, 0],
    ["a customer's token is checked every 60 seconds [ST-12]", session.tokenCheckMs, 60_000],
    ['a toast is dismissed at 80 percent [K-12]', toast.dragPercent, 80],
    ['an image may have up to 25 megapixels [C-93]', image.maxPixels, 25_000_000],
    ['a JSON body may have up to 64 kB [C-89]', maxJsonBytes, 65_536],
  ])('%s', (_, constant, literal) => {
    expect(constant).toBe(literal);
  });

  test('sentences that mention a number mention the right one', () => {
    expect(registerMessages.done).toContain(`${registration.approvalHours} hours`);
    expect(transferMessages.initiatedText).toContain(`${externalTransfer.businessDays} business days`);
    expect(transactionsMessages.businessDays).toContain(externalTransfer.businessDays);
    expect(registerMessages.phone).toContain(`${phone.digits}-digit`);
    expect(registerMessages.password).toContain(`at least ${password.minDigits} digits`);
    expect(transferMessages.accountNumberFormat).toContain(`${accountNumber.digits} digits`);
    expect(transferMessages.externalAccountNumber).toContain(
      `${externalAccountNumber.min} to ${externalAccountNumber.max}`,
    );
    expect(adminMessages.passwordLength).toContain(`${password.adminMinCharacters} characters`);
    expect(settingsMessages.avatarHint).toContain(`${image.recommendedMegabytes}MB`);
    for (const sentence of [errorMessages.tooLarge, appMessages.imageLimits])
      expect(sentence).toMatch(new RegExp(`up to ${image.maxBytes / 1024 / 1024}\\sMB`));
    // The number and its unit stay on one line under a narrow field.
    expect(appMessages.imageLimits).toContain('\u00a0MB');
    expect(errorMessages.imageTooSmall).toContain(`${image.minSidePixels} pixels`);
    expect(errorMessages.imageTooDetailed).toContain(`${image.maxPixels / 1e6} megapixels`);
    const kinds = image.accepted.map(kind => kind.slice('image/'.length));
    for (const sentence of [errorMessages.unsupportedType, appMessages.imageLimits])
      expect(sentence.toLowerCase().match(/jpeg|png|webp/g)).toEqual(kinds);
  });

  test('the length limit of an external account number is the length of the longest valid one', () => {
    expect(maxLength.externalAccountNumber).toBe(externalAccountNumber.max);
  });
});
