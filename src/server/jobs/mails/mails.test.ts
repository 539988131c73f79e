/** Every mail but the summaries: both parts have the same content, nothing is loaded, and no secret is in the subject. */
import { describe, expect, test } from 'vitest';
import { bank } from '#contract/constants.ts';
import type { DecodedApproval } from '#contract/fourEyes.ts';
import * as notificationsMessages from '#contract/messages/notifications.ts';
import {
  type AccountMail,
  accountMails,
  renderAccountClosedMail,
  renderAccountMail,
  renderEmailRemovedMail,
  renderEmailReplacedMail,
  renderNewLoginMail,
} from './accountMails.ts';
import {
  renderDocumentRequestMail,
  renderRegisteredMail,
  renderRegistrationExpiredMail,
  renderRejectedMail,
} from './applicationMails.ts';
import { renderCodeMail, renderStepUpMail } from './codeMails.ts';
import { renderContactAnswerMail, renderHelpDeskMail } from './contactMails.ts';
import { factorMails } from './factorMails.ts';
import { breakLinks, type RenderedMail } from './mailLayout.ts';
import { renderScheduledFailedMail, renderScheduledReminderMail } from './scheduledMails.ts';
import {
  renderDisabledMail,
  renderEndedRequestMail,
  renderLinkMail,
  renderRoleMail,
  renderWaitingRequestMail,
} from './staffMails.ts';
import type { mailTemplates } from './templates.ts';
import { renderTransferMail, transferMailKinds } from './transferMails.ts';

const publicUrl = 'https://bank.example';
const name = 'Iris <b>Field</b>';
const at = new Date('2026-11-21T14:41:00Z');
const transfer = {
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
const request: DecodedApproval = {
  _id: transfer.transactionId,
  kind: 'reversal',
  status: 'pending',
  askedBy: { _id: transfer.transactionId, name },
  askedAt: at,
  expiresAt: at,
  amount: 12_000_000n,
  reason: 'Paid <twice>',
};
const rent = {
  name,
  amountCents: 85_000n,
  receiver: 'Meadow <b>Rentals</b>',
  date: '2026-12-01',
  reason: null,
  hasDailyLimit: false,
  hasNext: true,
};
/** The mails that are not in `accountMails`. */
const withData: Record<Exclude<keyof typeof mailTemplates, AccountMail>, RenderedMail> = {
  'login-code': renderCodeMail('login-code', { name, digits: '041973' }, publicUrl),
  'reset-code': renderCodeMail('reset-code', { name, digits: '041973' }, publicUrl),
  'step-up-code': renderStepUpMail({
    name,
    digits: '041973',
    act: 'transfer',
    amountCents: 3_000_000n,
    receiver: 'Amara Lindqvist, account ending in 1234',
  }),
  registered: renderRegisteredMail({ name, removalToken: 'a'.repeat(64) }, publicUrl),
  'registration-expired': renderRegistrationExpiredMail(),
  'new-login': renderNewLoginMail(device, publicUrl),
  'scheduled-failed': renderScheduledFailedMail({ ...rent, reason: 'balance' }, publicUrl),
  'scheduled-reminder': renderScheduledReminderMail(rent, publicUrl),
  'account-closed': renderAccountClosedMail(person),
  'email-replaced': renderEmailReplacedMail({ name, freezeUrl: `${publicUrl}/freeze#a` }),
  'application-rejected': renderRejectedMail({ name, reason: 'The ID is not yours <x>' }, publicUrl),
  'id-requested': renderDocumentRequestMail(
    { name, reason: 'The picture is blurred', hasDocument: true },
    publicUrl,
  ),
  'staff-invited': renderLinkMail(
    'staff-invited',
    { name, role: 'support', token: 'a'.repeat(80) },
    publicUrl,
  ),
  'staff-reset': renderLinkMail('staff-reset', { name, role: 'viewer', token: 'a'.repeat(80) }, publicUrl),
  'staff-role': renderRoleMail({ name, role: 'auditor' }, publicUrl),
  'staff-disabled': renderDisabledMail(person),
  'request-waiting': renderWaitingRequestMail({ name, request }, publicUrl),
  'request-ended': renderEndedRequestMail({ name, request: { ...request, status: 'declined' } }, publicUrl),
  'contact-answer': renderContactAnswerMail({
    firstName: name,
    subject: 'Hello',
    message: 'A\nB',
    askedAt: new Date('2026-11-20T18:05:00Z'),
    text: 'It does.',
  }),
  'help-desk': renderHelpDeskMail({
    name,
    email: 'a@b.example',
    subject: 'Hello',
    message: 'A\nB',
    isLoggedIn: false,
    isOwnEmail: false,
  }),
};
const mails: Record<string, RenderedMail> = {
  ...withData,
  ...Object.fromEntries(
    (Object.keys(accountMails) as AccountMail[]).map(kind => [
      kind,
      renderAccountMail(kind, person, publicUrl),
    ]),
  ),
  ...Object.fromEntries(
    transferMailKinds.map(kind => [kind, renderTransferMail({ ...transfer, kind }, publicUrl)]),
  ),
  'email-removed': renderEmailRemovedMail(),
  initiated: renderTransferMail({ ...transfer, kind: 'money-sent', bankName: 'Wells Fargo' }, publicUrl),
};

/** The visible text of the HTML part. */
const read = (html: string) =>
  html
    .replace(/<style>.*?<\/style>|<div style="display:none.*?<\/div>|<!--.*?-->/gs, '')
    .replace(/<(?:title)>.*?<\/title>/s, '')
    // No space between a link and the period after it.
    .replace(/<\/a>(?=[.,])/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
    .replaceAll('&amp;', '&')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replace(/&quot;|&#39;/g, "'")
    .replaceAll('&nbsp;', ' ');

test.each([
  'password-changed',
  'password-reset',
  'email-changed',
  'own-frozen',
  'app-removed',
  'passkey-removed',
  'factors-reset',
])('the mail %s says that push notifications are off [PU-17]', kind => {
  expect(mails[kind]!.text).toMatch(/(turned push notifications|push notifications were turned) off on all/);
});

describe.each(Object.entries(mails))('the mail %s', (_, { subject, text, html, images }) => {
  test('has every word of the text part in the HTML part', () => {
    const words = new Set(read(html).split(/\s+/));
    const links = new Set(
      [...html.matchAll(/href="([^"]+)"/g)].map(([, url]) => url!.replaceAll('&#38;', '&')),
    );
    const missing = text
      .split(/\s+/)
      .filter(word => word !== '' && word !== '--' && !words.has(word) && !links.has(word))
      // In the text part, labels end with a colon, and lines of a quote start with ">".
      .filter(word => word !== '>' && !words.has(word.replace(/:$/, '')));
    expect(missing).toEqual([]);
  });

  test('loads nothing, runs no script, and links only to the bank', () => {
    expect(html).not.toMatch(/<(?:script|link|iframe|object|form|svg)\b|url\(|@import|\son\w+=/i);
    for (const [, url] of html.matchAll(/https?:\/\/([^/"\s]+)/g)) expect(url).toBe('bank.example');
    expect(html).not.toContain('<b>');
  });

  test('contains the bank’s logo and no other picture, and a link that calls the bank', () => {
    const sources = [...html.matchAll(/\bsrc="([^"]*)"/g)].map(([, source]) => source);
    expect(sources).toEqual(images.map(image => `cid:${image.cid}`));
    expect(images.map(({ content }) => content.subarray(1, 4).toString())).toEqual(['PNG']);
    expect(html).toContain(`<a href="tel:+12125550142"`);
    expect(html.replace(/<a href="tel:.*?<\/a>/g, '')).not.toContain(bank.phone);
  });

  test('has no amount and no code in its subject, and supports dark mode', () => {
    expect(subject).not.toMatch(/\d|\$/);
    expect(html).toContain('prefers-color-scheme:dark');
  });
});

test('a code is not in the preview that a list of mails shows', () => {
  const preview = /display:none[^>]*>(.*?)<\/div>/s.exec(mails['login-code']!.html)![1]!;
  expect(preview).not.toMatch(/041973/);
  // Padded, so that the text after it is not shown either.
  expect(preview.length).toBeGreaterThan(500);
});

test('the mails about a request open it in the back office [ST-81]', () => {
  const [waiting, ended] = [
    renderWaitingRequestMail({ name, request }, publicUrl),
    renderEndedRequestMail({ name, request: { ...request, status: 'done' } }, publicUrl),
  ];
  for (const { text } of [waiting, ended])
    expect(text).toContain(`${publicUrl}/admin/dashboard?view=requests&request=${request._id}`);
});

test.each([
  ['declined', 'Answer: Wrong account'],
  ['failed', 'Why it failed: Wrong account'],
] as const)(
  'the mail about a request that %s calls what was answered what the screen calls it [ST-81]',
  (status, said) => {
    const ended = { ...request, status, outcome: 'Wrong account' };
    expect(renderEndedRequestMail({ name, request: ended }, publicUrl).text).toContain(said);
  },
);

test('the mails with a login or reset code, and about a locked login, a changed password, a new login or money sent, say what to do if it was another person', () => {
  for (const kind of [
    'login-code',
    'reset-code',
    'login-locked',
    'password-changed',
    'password-reset',
    'new-login',
    'money-sent',
  ])
    expect(mails[kind]!.text, kind).toMatch(/\b[Ii]f (?:you didn’t|that wasn’t|it wasn’t)/);
});

test('a mail that tells its reader to set a new password or to apply again links to the page where that is done [L-09, SD-07]', () => {
  expect(mails['login-code']!.text).toContain(`: ${publicUrl}/forgot-password`);
  expect(mails['reset-code']!.text).not.toContain(publicUrl);
  expect(mails['application-rejected']!.text).toContain('apply again');
  expect(mails['application-rejected']!.text).toContain(`: ${publicUrl}/register`);
});

test('every mail about a second factor has a link that freezes the account of a customer, not of an administrator [BR-50]', () => {
  const freezeUrl = `${publicUrl}/freeze-account#${'a'.repeat(64)}`;
  const kinds = Object.keys(factorMails) as (keyof typeof factorMails)[];
  expect(kinds).toContain('app-removed');
  for (const kind of kinds) {
    expect(renderAccountMail(kind, { name, freezeUrl }, publicUrl).text, kind).toContain(freezeUrl);
    expect(renderAccountMail(kind, person, publicUrl).text, kind).not.toContain('freeze');
  }
});

test('mails about a scheduled transfer, a data copy, a payee or an unfreeze have a link that freezes the account; those after a new password or an unfreeze say that scheduled transfers continue [BR-50]', () => {
  const freezeUrl = `${publicUrl}/freeze-account#${'a'.repeat(64)}`;
  for (const kind of [
    'scheduled-added',
    'schedule-changed',
    'schedule-resumed',
    'data-copy-ready',
    'payee-added',
    'unfrozen',
  ] as const)
    expect(renderAccountMail(kind, { name, freezeUrl }, publicUrl).text, kind).toContain(freezeUrl);
  for (const isApplicant of [false, true])
    expect(renderAccountMail('unfrozen', { name, freezeUrl, isApplicant }, publicUrl).text).toContain(
      'If you didn’t unfreeze it or ask us to, freeze it again',
    );
  for (const kind of ['password-changed', 'password-reset', 'unfrozen'] as const)
    expect(renderAccountMail(kind, { name, freezeUrl }, publicUrl).text, kind).toMatch(
      /scheduled transfers continue/i,
    );
});

test('a customer who froze the account after a password reset reads that an emailed code can’t unfreeze it for 24 hours [BR-30]', () => {
  expect(renderAccountMail('own-frozen', { name }, publicUrl).text).toContain(
    'You’ll have to confirm that it’s you. For 24 hours after you reset your password by email, or after we change your email address, you can’t do that with an emailed code.',
  );
});

test('mails and notifications to an applicant do not mention money, payments or scheduled transfers [BR-30]', () => {
  const alarms = ['frozen', 'own-frozen', 'unfrozen', 'alert-guessed-logins'] as const;
  const both = [...alarms, 'password-changed', 'contact-changed', 'id-received', 'id-verified'] as const;
  const onlyMailed = [
    'password-reset',
    'login-locked',
    'reset-locked',
    'name-changed',
    'email-changed',
    'sessions-ended',
  ] as const;
  for (const kind of [...both, ...onlyMailed]) {
    const { subject, text } = renderAccountMail(kind, { name, isApplicant: true }, publicUrl);
    expect(text, kind).not.toMatch(/scheduled|money|payment/i);
    expect(subject, kind).not.toContain('active again');
  }
  for (const kind of [...both, 'identity-changed', 'id-requested', 'alert-new-login'] as const)
    expect(notificationsMessages.kinds[kind], kind).not.toMatch(/money|payment/i);
});

test('an applicant whose ID document is verified reads that the approval is still to come [A-50]', () => {
  const textFor = (isApplicant: boolean) =>
    renderAccountMail('id-verified', { name, isApplicant }, publicUrl).text;
  expect(textFor(true)).toContain(
    'We’re still reviewing your application. We’ll email you when your account is approved.',
  );
  expect(textFor(true)).not.toContain('nothing you need to do');
  expect(textFor(false)).toContain('There is nothing you need to do.');
});

test('a fact of several lines, such as the reason of a rejection, is left-aligned [SD-07]', () => {
  const reason = 'The picture is blurred, and a part of the document is cut off.';
  const { html } = renderRejectedMail({ name, reason }, publicUrl);
  expect(html).toContain(`<span style="display:inline-block;text-align:left">${reason}</span>`);
});

test('the mail about a better ID document leads to the upload, not to the top of the settings [SD-07]', () => {
  const { text } = renderDocumentRequestMail(
    { name, reason: 'The picture is blurred', hasDocument: true },
    publicUrl,
  );
  expect(text).toContain(`${publicUrl}/dashboard/settings#id-document`);
});

test('a security mail leads an administrator to the back office, not to pages that only customers have [SD-38]', () => {
  const staff = { name, isStaff: true };
  const received: AccountMail[] = ['login-locked', 'app-removed', 'recovery-renewed', 'passkey-added'];
  for (const { text } of [
    renderNewLoginMail({ ...device, ...staff }, publicUrl),
    ...(
      [
        ...received,
        'app-added',
        'recovery-used',
        'recovery-changed',
        'passkey-removed',
        'factors-reset',
      ] as const
    ).map(kind => renderAccountMail(kind, staff, publicUrl)),
  ]) {
    expect(text).toContain(`${publicUrl}/admin`);
    expect(text).toMatch(/tell an owner/i);
    expect(text).not.toMatch(/forgot-password|your money|email you one|security settings/i);
  }
});

test('the mail about a scheduled transfer that was not sent says whether a later date is scheduled [SC-07]', () => {
  const textOf = (hasNext: boolean) =>
    renderScheduledFailedMail({ ...rent, reason: 'refused', hasNext }, publicUrl).text;
  expect(textOf(true)).toContain('The next date is still scheduled.');
  expect(textOf(false)).toContain('Nothing more is scheduled for it.');
  expect(textOf(false)).not.toMatch(/next date|the bank/i);
});

test('the mail about a scheduled transfer that was not sent names the daily limit only to a customer who has one [SC-07]', () => {
  const textOf = (hasDailyLimit: boolean) =>
    renderScheduledFailedMail({ ...rent, reason: 'balance', hasDailyLimit }, publicUrl).text;
  expect(textOf(true)).toContain('enough money in your account, or your daily limit was used up.');
  expect(textOf(false)).toContain('You didn’t have enough money in your account. Nothing was sent.');
});

test('the code that raises limits lists them as the new limits, not as a receiver [BR-20]', () => {
  const { text } = renderStepUpMail({
    name,
    digits: '041973',
    act: 'raise-limits',
    amountCents: null,
    receiver: 'Daily limit: $300.00; Confirm transfers from: $400.00',
  });
  expect(text).toContain('New limits: Daily limit: $300.00; Confirm transfers from: $400.00');
  expect(text).not.toMatch(/^To:/m);
});

test('incoming money has a plus sign, an external transfer says how long it takes, and no mail contains an available balance', () => {
  expect(mails['money-received']!.text).toContain('    +$1,234.56');
  expect(mails['money-sent']!.text.match(/\$1,234\.56/g)).toHaveLength(1);
  expect(mails.initiated!.subject).toBe('Transfer Initiated');
  expect(mails.initiated!.text).toContain('3-7 business days');
  for (const { text } of Object.values(mails)) expect(text).not.toMatch(/available balance/i);
});

test('a URL in a name or a message does not become a link', () => {
  const bait = 'Win.at https://evil.example/x or ring me@evil.example';
  const sender = { name: bait, email: 'a@b.example', subject: bait, message: bait };
  const rendered = [
    renderAccountMail('approved', sender, publicUrl),
    renderTransferMail(
      { ...transfer, kind: 'money-received', otherName: bait, description: bait },
      publicUrl,
    ),
    renderHelpDeskMail({
      ...sender,
      isLoggedIn: true,
      isOwnEmail: false,
      customer: { _id: '', name: bait, isApproved: false },
    }),
  ];
  expect(breakLinks('Sold for £12.50. Or $3.20.')).toBe('Sold for £12.50. Or $3.20.');
  expect(breakLinks('12.50.evil.example')).toBe('12.\u200b50.\u200bevil.\u200bexample');
  expect(breakLinks('$1,234.50 at 192.0.2.7:80')).toBe('$1,234.50 at 192.\u200b0.\u200b2.\u200b7:\u200b80');
  for (const { text, html } of rendered)
    for (const part of [text, html]) {
      expect(part).not.toMatch(/evil\.example|https:\/\/evil|me@evil|Win\.at/);
      expect(part.replaceAll('\u200b', '')).toContain('https://evil.example/x');
    }
});

test('a mail to the Help Desk starts with the bank’s text and marks the visitor’s message', () => {
  const { text } = mails['help-desk']!;
  expect(text).toMatch(
    /^A message from the contact form\n\nFrom: .*\nEmail: a@b\.example\nSubject: Hello\nLogged in: No\n\nThey wrote:\n\nA\nB\n/,
  );
});

test('a frozen customer’s mail says how to contact the bank', () => {
  expect(mails.frozen!.text).toContain(bank.phone);
  expect(mails.frozen!.text).toContain(`${publicUrl}/contact`);
});

test('an applicant reads in the welcome mail to log in within 30 days, because the registration is removed otherwise [G-21]', () => {
  expect(mails.registered!.text).toContain('Log in once within 30 days to confirm your email.');
});

test('the welcome mail has one button; removing the registration is a plain link [G-20]', () => {
  const { html, text } = mails.registered!;
  const removal = /<a href="https:\/\/bank\.example\/not-me#a{64}"[^>]*>/.exec(html)![0];
  expect(html.match(/<a [^>]*display:inline-block/g)).toHaveLength(1);
  expect(removal).not.toContain('inline-block');
  expect(text.match(/24-48 hours/g)).toHaveLength(1);
  // As on the site: a person reviews an application, and the link removes a registration.
  expect(text.match(/\bapplication\b/g)).toHaveLength(1);
  expect(text).not.toContain("'");
});

test('the mail about a payment that its sender canceled says so, and gives no other reason [BR-40]', () => {
  const mail = {
    ...transfer,
    kind: 'external-returned',
    bankName: 'Wells Fargo',
    reason: 'Cancelled',
  } as const;
  const { subject, text } = renderTransferMail(mail, publicUrl);
  expect(subject).toBe('External Transfer Canceled');
  expect(text).not.toContain('Cancelled');
});
