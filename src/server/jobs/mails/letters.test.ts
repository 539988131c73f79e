/** Every mail the bank sends: both parts say the same, nothing is loaded or told that should not be. */
import { describe, expect, test } from 'vitest';
import { bank } from '#contract/constants.ts';
import {
  type AccountMail,
  accountMails,
  drawAccountClosedMail,
  drawAccountMail,
  drawCodeMail,
  drawHelpDeskMail,
  drawNewLoginMail,
} from './accountMails.ts';
import type { Letter } from './letter.ts';
import { drawMoneyMail, moneyMailKinds } from './moneyMails.ts';
import type { mailTemplates } from './templates.ts';

const publicUrl = 'https://bank.example';
const name = 'Iris <b>Field</b>';
const at = new Date('2026-11-21T14:41:00Z');
const movement = {
  name,
  amountCents: 123_456n,
  otherName: 'Olaf & Sons',
  description: 'Rent <script>',
  transactionId: '01890000-0000-7000-8000-000000000000',
  reference: 'TRF-1',
  at,
};
const device = { name, device: 'Firefox on Linux', address: '198.51.100.7', at };
const person = { name };
/** The mails that hold more than a name. */
const withData: Record<Exclude<keyof typeof mailTemplates, AccountMail>, Letter> = {
  'login-code': drawCodeMail('login-code', { name, digits: '041973' }),
  'reset-code': drawCodeMail('reset-code', { name, digits: '041973' }),
  'new-login': drawNewLoginMail(device, publicUrl),
  'account-closed': drawAccountClosedMail(person),
  'help-desk': drawHelpDeskMail({ name, email: 'a@b.example', subject: 'Hello', message: 'A\nB' }),
};
const letters: Record<string, Letter> = {
  ...withData,
  ...Object.fromEntries(
    (Object.keys(accountMails) as AccountMail[]).map(kind => [
      kind,
      drawAccountMail(kind, person, publicUrl),
    ]),
  ),
  ...Object.fromEntries(moneyMailKinds.map(kind => [kind, drawMoneyMail({ ...movement, kind }, publicUrl)])),
  initiated: drawMoneyMail({ ...movement, kind: 'money-sent', bankName: 'Wells Fargo' }, publicUrl),
};

/** What a reader of the HTML part reads. */
const read = (html: string) =>
  html
    .replace(/<style>.*?<\/style>|<div style="display:none.*?<\/div>|<!--.*?-->/gs, '')
    .replace(/<(?:title)>.*?<\/title>/s, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
    .replaceAll('&amp;', '&')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replace(/&quot;|&#39;/g, "'")
    .replaceAll('&nbsp;', ' ');

describe.each(Object.entries(letters))('the mail %s', (_, { subject, text, html }) => {
  test('says in HTML every word that it says as text', () => {
    const said = new Set(read(html).split(/\s+/));
    const links = new Set([...html.matchAll(/href="([^"]+)"/g)].map(([, url]) => url));
    const missing = text
      .split(/\s+/)
      .filter(word => word !== '' && word !== '--' && !said.has(word) && !links.has(word))
      // In the text a label has a colon.
      .filter(word => !said.has(word.replace(/:$/, '')));
    expect(missing).toEqual([]);
  });

  test('loads nothing, runs nothing, leads nowhere but to the bank', () => {
    expect(html).not.toMatch(/<(?:img|script|link|iframe|object|form|svg)\b|\bsrc=|url\(|@import|\son\w+=/i);
    for (const [, url] of html.matchAll(/https?:\/\/([^/"\s]+)/g)) expect(url).toBe('bank.example');
    expect(html).not.toContain('<b>');
  });

  test('has no money and no digit of a code in its subject, and can be read by night', () => {
    expect(subject).not.toMatch(/\d|\$/);
    expect(html).toContain('prefers-color-scheme:dark');
  });
});

test('a code stands nowhere in what a list of mails shows', () => {
  const glance = /display:none[^>]*>(.*?)<\/div>/s.exec(letters['login-code']!.html)![1]!;
  expect(glance).not.toMatch(/041973/);
  // Long enough that what comes after it is not shown either.
  expect(glance.length).toBeGreaterThan(500);
});

test('every mail about something that only its customer should do says what to do if it was somebody else', () => {
  for (const kind of [
    'login-code',
    'reset-code',
    'login-locked',
    'password-changed',
    'new-login',
    'money-sent',
  ])
    expect(letters[kind]!.text, kind).toMatch(/\b[Ii]f (?:you did not|that was not|it was not)/);
});

test('money in and money out look different, and no mail tells a balance', () => {
  expect(letters['money-received']!.text).toContain('    +$1,234.56');
  expect(letters['money-sent']!.text).toContain('    $1,234.56');
  expect(letters.initiated!.subject).toBe('Transfer Initiated');
  expect(letters.initiated!.text).toContain('3-7 business days');
  for (const { text } of Object.values(letters)) expect(text).not.toMatch(/available balance/i);
});

test('a name or a message that looks like an address to open is none in a mail of the bank', () => {
  const bait = 'Win.at https://evil.example/x or ring me@evil.example';
  const sender = { name: bait, email: 'a@b.example', subject: bait, message: bait };
  const drawn = [
    drawAccountMail('registered', sender, publicUrl),
    drawMoneyMail({ ...movement, kind: 'money-received', otherName: bait, description: bait }, publicUrl),
    drawHelpDeskMail(sender),
  ];
  for (const { text, html } of drawn)
    for (const part of [text, html]) {
      expect(part).not.toMatch(/evil\.example|https:\/\/evil|me@evil|Win\.at/);
      expect(part.replaceAll('\u200b', '')).toContain('https://evil.example/x');
    }
});

test('in a mail to the Help Desk the bank speaks first, and says whose the rest is', () => {
  const { text } = letters['help-desk']!;
  expect(text).toMatch(
    /^A message from the contact page\n\nFrom: .*\nEmail: a@b\.example\nSubject: Hello\n\nThey wrote:\n\nA\nB\n/,
  );
});

test('a frozen customer reads whom to ask', () => {
  expect(letters.frozen!.text).toContain(bank.phone);
  expect(letters.frozen!.text).toContain(`${publicUrl}/contact`);
});
