/**
 * All mail templates by name: the data of their jobs, their recipients and how they are rendered. Jobs are stored in a table,
 * so their data contains ids instead of names and emails. Codes, and recipients who cannot be found by id, are encrypted.
 */
import { sql } from 'kysely';
import { nameOfMonth } from '#contract/bankTime.ts';
import { bank, code } from '#contract/constants.ts';
import * as limitsMessages from '#contract/messages/limits.ts';
import * as removalMessages from '#contract/messages/removal.ts';
import * as transactionsMessages from '#contract/messages/transactions.ts';
import { formatCents } from '#contract/money.ts';
import type { Role } from '#contract/roles.ts';
import type { Reader } from '../../db/database.ts';
import { type Addressee, decryptAddressee } from '../../people/addressee.ts';
import { readAdmin } from '../../people/admins.ts';
import { readRequest } from '../../people/approvals.ts';
import { decryptCode } from '../../people/codes.ts';
import { readAnswer, readContactMessage } from '../../people/contactMessages.ts';
import { readDocumentRequest, readFormerEmail } from '../../people/customerPage.ts';
import { greetingName, isDoubtfulApplicant, readIdCardFile } from '../../people/customers.ts';
import { freezeUrl } from '../../people/freezeLink.ts';
import { makeRemovalToken } from '../../people/removalToken.ts';
import { makeLinkToken } from '../../people/staffLinks.ts';
import { readStepUp } from '../../people/stepUp.ts';
import type { Secrets } from '../../secrets.ts';
import {
  type AccountMail,
  accountMails,
  freezeMails,
  type Recipient,
  renderAccountClosedMail,
  renderAccountMail,
  renderEmailRemovedMail,
  renderEmailReplacedMail,
  renderNewLoginMail,
} from './accountMails.ts';
import {
  removalPieces,
  renderDocumentRequestMail,
  renderRegisteredMail,
  renderRegistrationExpiredMail,
  renderRejectedMail,
} from './applicationMails.ts';
import { renderCodeMail, renderStepUpMail } from './codeMails.ts';
import { renderContactAnswerMail, renderHelpDeskMail } from './contactMails.ts';
import { breakLinks, type Piece, type RenderedMail } from './mailLayout.ts';
import {
  renderScheduledFailedMail,
  renderScheduledReminderMail,
  type ScheduledMail,
} from './scheduledMails.ts';
import { detailsOfSchedule, findSchedule } from './scheduleFacts.ts';
import {
  renderDisabledMail,
  renderEndedRequestMail,
  renderLinkMail,
  renderRoleMail,
  renderWaitingRequestMail,
} from './staffMails.ts';

/** What rendering needs in addition to the job's data. */
export type MailContext = { reader: Reader; publicUrl: string; codeKey: Secrets['codeKey'] };

/** A rendered mail with its recipient. */
export type AddressedMail = RenderedMail & { to: string; replyTo?: string };

export type Template<Data> = {
  /** After this many seconds the mail is no longer useful and is not sent. Default: no limit. */
  usefulSeconds?: number;
  /** Renders the mail; undefined if the recipient is gone or the mail is no longer wanted. */
  render(data: Data, context: MailContext): Promise<AddressedMail | undefined>;
};

/**
 * Renders a mail to a customer or an administrator, with their current address and name. A copy to a former email (`changeId`)
 * has no name, because staff may have changed the name, too.
 */
function toPerson<Data>(
  render: (data: Data & Recipient, context: MailContext) => RenderedMail | Promise<RenderedMail>,
): Template<Data & { personId: string; changeId?: string }>['render'] {
  return async (data, context) => {
    const recipient = await findRecipient(context.reader, data.personId);
    if (!recipient) return undefined;
    const { personId: customerId, changeId } = data;
    const { isCustomer, isApplicant } = recipient;
    const isCopy = changeId !== undefined;
    const to = isCopy ? await readFormerEmail(context.reader, changeId) : recipient.to;
    if (to === undefined) return undefined;
    const name = isCopy ? '' : recipient.name;
    const { publicUrl, codeKey } = context;
    const freeze = isCustomer ? freezeUrl(publicUrl, { customerId, email: to }, codeKey) : undefined;
    const person = { name, isCopy, freezeUrl: freeze, isStaff: !isCustomer, isApplicant };
    return { to, ...(await render({ ...data, ...person }, context)) };
  };
}

/** Renders a mail to someone who is erased or disabled, or has another email, by the time it is sent. */
const toAddressee =
  <Data>(render: (data: Data & Addressee, context: MailContext) => RenderedMail) =>
  async (data: Data & { encryptedAddressee: string }, context: MailContext) => {
    const { to, name } = decryptAddressee(data.encryptedAddressee, context.codeKey);
    return { to, ...render({ ...data, to, name }, context) };
  };

const codeMail = (purpose: 'login-code' | 'reset-code') => ({
  usefulSeconds: code.lifeSeconds,
  render: toPerson<{ encryptedCode: string }>(({ name, encryptedCode }, { publicUrl, codeKey }) =>
    renderCodeMail(purpose, { name, digits: decryptCode(encryptedCode, codeKey) }, publicUrl),
  ),
});

/** A mail with a link to set a password. It shows the role that the administrator has when the mail is sent. */
const linkMail = (kind: 'staff-invited' | 'staff-reset') => ({
  async render(
    { personId, linkId }: { personId: string; linkId: string },
    { reader, publicUrl, codeKey }: MailContext,
  ) {
    const admin = await readAdmin(reader, personId);
    return (
      admin && {
        to: admin.email,
        ...renderLinkMail(kind, { ...admin, token: makeLinkToken(linkId, codeKey) }, publicUrl),
      }
    );
  },
});

/** A mail about a request for a second approval. The request is read when the mail is sent. */
const requestMail = (render: typeof renderEndedRequestMail) => ({
  async render(
    { personId, requestId }: { personId: string; requestId: string },
    { reader, publicUrl }: MailContext,
  ) {
    const [admin, request] = [await readAdmin(reader, personId), await readRequest(reader, requestId)];
    return admin && request && { to: admin.email, ...render({ name: admin.name, request }, publicUrl) };
  },
});

/** A customer's own limits when the mail is sent. */
async function limitFacts(reader: Reader, personId: string): Promise<[label: string, value: string][]> {
  const found = await sql<{ dailyOut: bigint | null; stepUpFrom: bigint | null }>`
    SELECT a.daily_out AS "dailyOut", a.step_up_from AS "stepUpFrom"
      FROM customers c JOIN ledger_accounts a ON a.id = c.account_id WHERE c.id = ${personId}`.execute(
    reader,
  );
  return found.rows.flatMap(({ dailyOut, stepUpFrom }) => [
    [limitsMessages.dailyOut, dailyOut === null ? 'None' : formatCents(dailyOut)],
    [limitsMessages.stepUpFrom, stepUpFrom === null ? 'None' : formatCents(stepUpFrom)],
  ]);
}

/** What an account mail reports: a payee or a scheduled transfer, or the month of a statement. */
type Reported = { payeeOrScheduleId?: string | undefined; month?: string | undefined };

/** The facts that an account mail shows about what it reports: none if the payee or scheduled transfer was removed since. */
async function detailsOf(
  mail: AccountMail,
  { personId, payeeOrScheduleId, month }: Reported & { personId: string },
  { reader, publicUrl, codeKey }: MailContext,
): Promise<Piece[]> {
  if (mail === 'password-reset' && (await isDoubtfulApplicant(reader, personId)))
    return removalPieces(publicUrl, makeRemovalToken(personId, codeKey), removalMessages.removableAfterReset);
  if (mail === 'limits-raised') return [{ facts: await limitFacts(reader, personId) }];
  if (month !== undefined) return [{ facts: [['Month', nameOfMonth(month, 'full')]] }];
  if (payeeOrScheduleId === undefined) return [];
  if (mail === 'payee-added') {
    const payee = await findPayee(reader, payeeOrScheduleId);
    return payee ? [{ facts: [['Payee', breakLinks(payee) || transactionsMessages.closedAccount]] }] : [];
  }
  if (mail !== 'scheduled-added' && mail !== 'schedule-changed' && mail !== 'schedule-resumed') return [];
  const schedule = await findSchedule(reader, payeeOrScheduleId);
  return schedule ? detailsOfSchedule(schedule, mail) : [];
}

const accountTemplates = Object.fromEntries(
  (Object.keys(accountMails) as AccountMail[]).map(mail => [
    mail,
    {
      render: toPerson<Reported & { personId: string }>(
        async ({ personId, payeeOrScheduleId, month, ...person }, context) => {
          const details = await detailsOf(mail, { personId, payeeOrScheduleId, month }, context);
          return renderAccountMail(mail, person, context.publicUrl, details);
        },
      ),
    },
  ]),
) as Record<AccountMail, Template<{ personId: string } & Reported>>;

/**
 * A mail about a date of a scheduled transfer. The scheduled transfer is read when the mail is sent. `isAhead`: the mail is
 * about the next date, and is not sent if that date was skipped, changed or paused since.
 */
function scheduledMail(
  render: (mail: ScheduledMail, publicUrl: string) => RenderedMail,
  isAhead = false,
): Template<{ personId: string; scheduleId: string; date: string }> {
  return {
    async render({ personId, scheduleId, date }, { reader, publicUrl }) {
      const recipient = await findRecipient(reader, personId);
      const schedule = await findSchedule(reader, scheduleId, date);
      if (!recipient || !schedule || schedule.mail === 'off') return undefined;
      if (isAhead && (schedule.nextDate !== date || schedule.isPaused)) return undefined;
      const { to, name } = recipient;
      return { to, ...render({ ...schedule, name }, publicUrl) };
    },
  };
}

export const mailTemplates = {
  ...accountTemplates,
  'login-code': codeMail('login-code'),
  'reset-code': codeMail('reset-code'),
  'step-up-code': {
    usefulSeconds: code.lifeSeconds,
    async render(
      data: { personId: string; encryptedCode: string; stepUpId: string },
      { reader, codeKey }: MailContext,
    ) {
      const recipient = await findRecipient(reader, data.personId);
      const stepUp = recipient && (await readStepUp(reader, data.stepUpId));
      if (!stepUp) return undefined;
      const { to, name } = recipient;
      return {
        to,
        ...renderStepUpMail({ ...stepUp, name, digits: decryptCode(data.encryptedCode, codeKey) }),
      };
    },
  },
  registered: {
    render: toPerson<{ personId: string }>(({ name, personId }, { publicUrl, codeKey }) =>
      renderRegisteredMail({ name, removalToken: makeRemovalToken(personId, codeKey) }, publicUrl),
    ),
  },
  // By the time this mail is sent, the person has been erased.
  'registration-expired': {
    render: toAddressee<object>(renderRegistrationExpiredMail),
  },
  'new-login': {
    render: toPerson<{ device: string; address: string; at: string }>((data, { publicUrl }) =>
      renderNewLoginMail({ ...data, at: new Date(data.at) }, publicUrl),
    ),
  },
  'scheduled-failed': scheduledMail(renderScheduledFailedMail),
  'scheduled-reminder': scheduledMail(renderScheduledReminderMail, true),
  // By the time this mail is sent, the person has been erased.
  'account-closed': {
    render: toAddressee<{ retentionYears?: number; isCopy?: boolean }>(renderAccountClosedMail),
  },
  // This mail goes to the former email, which the customer's record no longer has. Without a name, that email was not proven.
  'email-replaced': {
    render: toAddressee<{ personId: string }>(({ name, to, personId }, { publicUrl, codeKey }) =>
      name === ''
        ? renderEmailRemovedMail()
        : renderEmailReplacedMail({
            name,
            freezeUrl: freezeUrl(publicUrl, { customerId: personId, email: to }, codeKey),
          }),
    ),
  },
  'application-rejected': {
    render: toAddressee<{ reason: string }>((data, { publicUrl }) => renderRejectedMail(data, publicUrl)),
  },
  // The reason is read when the mail is sent. The mail is not sent if a document was uploaded by then.
  'id-requested': {
    async render({ personId }: { personId: string }, { reader, publicUrl }: MailContext) {
      const recipient = await findRecipient(reader, personId);
      const request = await readDocumentRequest(reader, personId);
      if (!recipient || !request) return undefined;
      const { to, name } = recipient;
      const hasDocument = (await readIdCardFile(reader, personId)) !== undefined;
      return { to, ...renderDocumentRequestMail({ name, reason: request.reason, hasDocument }, publicUrl) };
    },
  },
  'staff-invited': linkMail('staff-invited'),
  'staff-reset': linkMail('staff-reset'),
  'staff-role': {
    render: toPerson<{ role: Role }>((data, { publicUrl }) => renderRoleMail(data, publicUrl)),
  },
  // By the time this mail is sent, the administrator is disabled.
  'staff-disabled': {
    render: toAddressee<object>(renderDisabledMail),
  },
  'request-waiting': requestMail(renderWaitingRequestMail),
  'request-ended': requestMail(renderEndedRequestMail),
  // The message is read when the mail is sent, so that the queue contains no data of an erased person.
  'help-desk': {
    async render({ messageId }: { messageId: string }, { reader }: MailContext) {
      const message = await readContactMessage(reader, messageId);
      return message && { to: bank.supportEmail, replyTo: message.email, ...renderHelpDeskMail(message) };
    },
  },
  // The answer is read when the mail is sent, so that an erased message is not answered.
  'contact-answer': {
    async render({ answerId }: { answerId: string }, { reader }: MailContext) {
      const answer = await readAnswer(reader, answerId);
      return answer && { to: answer.to, replyTo: bank.supportEmail, ...renderContactAnswerMail(answer) };
    },
  },
} satisfies Record<string, Template<never>>;

type Templates = typeof mailTemplates;
/** A mail to send: its template and the data that the template needs. */
export type MailOrder = TemplateOrder & {
  /** Set for the copy that goes to a former email: the id of the change in which staff replaced that email. */
  changeId?: string;
  /** The number of this attempt, from 2. Set if the mail server did not confirm the attempt before. */
  copies?: number;
  /** Number and time of the job of the first attempt. All attempts get their Message-ID from it. */
  copyOf?: string;
};

type TemplateOrder =
  | ({ template: AccountMail; personId: string } & Reported)
  | {
      [Name in Exclude<keyof Templates, AccountMail>]: { template: Name } & Parameters<
        Templates[Name]['render']
      >[0];
    }[Exclude<keyof Templates, AccountMail>];

/** The mails that staff may send again from the back office. Their only data is their recipient. */
const resendable = [
  'registered',
  'approved',
  'id-received',
  'id-requested',
  'id-verified',
  'frozen',
  'unfrozen',
] as const satisfies (keyof Templates)[];
type Resendable = (typeof resendable)[number];

export const isResendable = (template: string): template is Resendable =>
  (resendable as readonly string[]).includes(template);

/** Mails with codes, and mails about logins, freezes and acts that a thief would do. */
const securityMails: ReadonlySet<string> = new Set([
  ...freezeMails,
  ...([
    'login-code',
    'reset-code',
    'step-up-code',
    'login-locked',
    'reset-locked',
    'new-login',
    'sessions-ended',
    'own-frozen',
    'name-changed',
    'email-changed',
    'email-replaced',
  ] satisfies (keyof Templates)[]),
]);

export const isSecurityMail = (template: string): boolean => securityMails.has(template);

/**
 * The security mails of which no extra copy goes to a former email: those with codes, and those about the change of the email
 * itself. `email-replaced` is addressed to the former email anyway.
 */
const withoutExtraCopy: ReadonlySet<string> = new Set([
  'login-code',
  'reset-code',
  'step-up-code',
  'email-changed',
  'email-replaced',
] satisfies (keyof Templates)[]);

/**
 * Whether a copy also goes to each email that staff replaced in the last days, because a thief may have asked staff for the
 * change.
 */
export const goesToFormerEmail = (template: string): boolean =>
  isSecurityMail(template) && !withoutExtraCopy.has(template);

type FoundRecipient = { to: string; name: string; isCustomer: boolean; isApplicant: boolean };

/** Returns the address and name for the greeting of a customer or administrator; undefined if the person is gone. */
async function findRecipient(reader: Reader, personId: string): Promise<FoundRecipient | undefined> {
  const found = await sql<FoundRecipient>`
    SELECT c.email AS to, ${greetingName()} AS name, true AS "isCustomer", NOT a.is_approved AS "isApplicant"
      FROM customers c JOIN ledger_accounts a ON a.id = c.account_id
     WHERE c.id = ${personId} AND c.deleted_at IS NULL
    UNION ALL
    SELECT email, name, false, false FROM admins WHERE id = ${personId} AND disabled_at IS NULL`.execute(
    reader,
  );
  return found.rows[0];
}

/** Returns the name of a payee; undefined if the payee was removed, empty if that person has left the bank. */
async function findPayee(reader: Reader, payeeId: string): Promise<string | undefined> {
  const found = await sql<{ name: string }>`
    SELECT CASE WHEN p.bank_name <> '' THEN concat_ws(', ', p.account_name, p.bank_name)
                ELSE concat_ws(' ', c.first_name, c.last_name) END AS name
      FROM payees p
      LEFT JOIN ledger_accounts a ON p.bank_name = '' AND a.number = p.account_number
      LEFT JOIN customers c ON c.account_id = a.id AND c.deleted_at IS NULL
     WHERE p.id = ${payeeId}`.execute(reader);
  return found.rows[0]?.name;
}
