/** The numbers of the specification's chapter 9 and of the product's decisions, held once more as literals. */
import { describe, expect, test } from 'vitest';
import {
  accountNumber,
  admin,
  bank,
  carousel,
  code,
  contact,
  externalAccountNumber,
  externalTransfer,
  hero,
  idempotencyKey,
  image,
  login,
  maxJsonBytes,
  maxLength,
  paging,
  password,
  phone,
  registration,
  session,
  toast,
  transfer,
} from './constants.ts';
import { page } from './fields.ts';
import * as adminMessages from './messages/admin.ts';
import * as appMessages from './messages/app.ts';
import * as errorMessages from './messages/errors.ts';
import * as homeMessages from './messages/home.ts';
import * as registerMessages from './messages/register.ts';
import * as settingsMessages from './messages/settings.ts';
import * as transactionsMessages from './messages/transactions.ts';
import * as transferMessages from './messages/transfer.ts';
import { TransactionFilter } from './transactions.ts';

type Row = readonly [sentence: string, held: unknown, literal: unknown];

const chapterNine: readonly Row[] = [
  ['a code has 6 digits [L-10]', code.length, 6],
  ['a new code can be asked for after 45 seconds [L-14]', code.resendCooldownSeconds, 45],
  ['a logged-in customer is taken on after 1.5 seconds [L-19]', login.redirectDelayMs, 1500],
  ['a contact message is sent after 1.5 seconds [H-23]', contact.sendDelayMs, 1500],
  ['a password has at least 6 digits [V-05]', password.minDigits, 6],
  ['a phone number has exactly 10 digits [V-04]', phone.digits, 10],
  ['an account number has 12 characters [V-14]', accountNumber.digits, 12],
  ['a receiver is looked up from 12 characters on [T-08]', accountNumber.lookupFrom, 12],
  ['the currency is USD [K-01]', bank.currency, 'USD'],
  ['a registration gives up after 60000 ms [G-04]', registration.timeoutMs, 60_000],
  ['an approval takes 24-48 hours [G-12]', registration.approvalHours, '24-48'],
  ['an image of up to 5 MB is recommended [S-03]', image.recommendedMegabytes, 5],
  ['an external transfer takes 3-7 business days [X-17]', externalTransfer.businessDays, '3-7'],
  ['a page holds 10 transactions [C-50]', paging.transactionsDefault, 10],
  ['the overview shows 5 recent transactions [O-04]', paging.recentTransactions, 5],
  ['a page holds 10 users [C-72]', paging.usersDefault, 10],
  ['a search waits for 500 ms of quiet [A-37]', admin.searchDebounceMs, 500],
  ["an administrator's failed login is shown for 3 seconds [AL-03]", admin.loginErrorMs, 3000],
  ["a customer's token is looked at every 60 seconds [ST-12]", session.tokenCheckMs, 60_000],
  ["a credit form's amount starts at 0 [A-14]", admin.creditMinDollars, 0],
  ["a credit form's amount goes in steps of a cent [A-14]", admin.creditStepDollars, 0.01],
  ['a toast closes by itself after 5000 ms [K-09]', toast.autoCloseMs, 5000],
  ['a toast is dismissed at 80 percent [K-12]', toast.dragPercent, 80],
  ['the carousel moves on after 3000 ms [H-14]', carousel.delayMs, 3000],
  ['the carousel shows 2 cards [H-15]', carousel.perView, 2],
  ['the cards of the carousel are 30 apart [H-15]', carousel.spacing, 30],
  ['the hero icon changes its colour every 1000 ms [H-04]', hero.colourCycleMs, 1000],
  ['the hero icon has six colours [H-04]', hero.colours, 6],
];

const decided: readonly Row[] = [
  ['the bank is called Larkspur Bank [R-36]', bank.name, 'Larkspur Bank'],
  ["the bank's days are those of New York [C-96]", bank.timeZone, 'America/New_York'],
  ['a code lives for 5 minutes [ST-28]', code.lifeSeconds, 300],
  ['a code can be tried 5 times [ST-29]', code.maxAttempts, 5],
  ['an account is sent at most 30 codes an hour [ST-45]', code.maxPerHour, 30],
  ['five wrong passwords lock the login [ST-32]', login.maxWrongPasswords, 5],
  ['ten wrong codes lock the login [ST-46]', login.maxWrongCodes, 10],
  ['a locked login opens after 15 minutes [ST-32]', login.lockSeconds, 15 * 60],
  ["an administrator's password has at least 12 characters [V-31]", password.adminMinCharacters, 12],
  ['a session lives for 60 minutes [ST-18]', session.lifeSeconds, 3600],
  ['an idle customer is warned after 15 minutes', session.idleWarningSeconds, 900],
  ['an idle customer is logged out a minute after the warning', session.idleLogoutSeconds, 60],
  ['a list is asked for at most 100 rows at once [C-52]', paging.maxLimit, 100],
  ['an image may have 10 MB [C-36]', image.maxBytes, 10_485_760],
  ['an image may have 25 megapixels [C-93]', image.maxPixels, 25_000_000],
  ['a JSON body may have 64 kB [C-89]', maxJsonBytes, 65_536],
  ['an amount is at most a billion dollars [C-82]', transfer.maxAmountDollars, 1_000_000_000],
  ['a transfer without an answer is called late after 10 seconds [T-25]', transfer.answerTimeoutMs, 10_000],
  ['an idempotency key has at least 8 characters [C-18]', idempotencyKey.minLength, 8],
  ['an idempotency key has at most 128 characters [C-18]', idempotencyKey.maxLength, 128],
  ['an external account number has at least 4 characters [V-27]', externalAccountNumber.min, 4],
  ['an external account number has at most 34 characters [V-27]', externalAccountNumber.max, 34],
];

describe('the numbers of chapter 9', () => {
  for (const [sentence, held, literal] of chapterNine) test(sentence, () => expect(held).toBe(literal));

  test('a list opens at page 1 with 10 rows [C-50]', () => {
    expect(page.parse(undefined)).toBe(1);
    expect(TransactionFilter.parse({})).toEqual({ page: 1, limit: 10 });
  });

  test('the articles have 6 categories to filter by, and all [H-13]', () => {
    expect(homeMessages.filters).toHaveLength(7);
    expect(homeMessages.filters[0]).toBe('all');
  });

  test('the sentences that name a number name the same one', () => {
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
      expect(sentence).toContain(`up to ${image.maxBytes / 1024 / 1024} MB`);
    expect(errorMessages.imageTooSmall).toContain(`${image.minSidePixels} pixels`);
    expect(errorMessages.imageTooDetailed).toContain(`${image.maxPixels / 1e6} megapixels`);
    const kinds = image.accepted.map(kind => kind.slice('image/'.length));
    for (const sentence of [errorMessages.unsupportedType, appMessages.imageLimits])
      expect(sentence.toLowerCase().match(/jpeg|png|webp/g)).toEqual(kinds);
  });
});

describe('the numbers of the decisions', () => {
  for (const [sentence, held, literal] of decided) test(sentence, () => expect(held).toBe(literal));

  test('accepted images are JPEG, PNG and WebP, and no SVG [C-90]', () => {
    expect([...image.accepted].sort()).toEqual(['image/jpeg', 'image/png', 'image/webp']);
  });

  test('the longest external account number is the longest text accepted for one', () => {
    expect(maxLength.externalAccountNumber).toBe(externalAccountNumber.max);
  });
});
