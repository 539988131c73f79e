/** What a copy of everything about a customer (`everything.ts`) contains of each table. */
import type { ErasedKey } from '../people/erasureList.ts';

/** What the copy contains of a table. Every personal table and each of its columns is here, or the tests fail. */
type Copy = {
  file?: string;
  /** For the README. */
  about?: string;
  columns?: string;
  /** The rows belong to those of another table of the customer, whose id is in this column. */
  partOf?: { column: string; table: string };
  /** Not in the copy; the value is the reason. */
  leftOut?: Readonly<Record<string, string>>;
};

const secret = 'a secret';
const internal = 'a key of the database';

const leaveOut = (columns: string, reason: string) => ({
  leftOut: Object.fromEntries(columns.split(' ').map(column => [column, reason])),
});

export const copies: Readonly<Record<string, Copy>> = {
  customers: {
    file: 'profile.json',
    about: 'your name, contact details and identity',
    columns:
      'id first_name middle_name last_name gender address region zip_code city date_of_birth email phone_number is_verified is_date_of_birth_verified terms_version terms_accepted_at email_proven_at created_at id_card_at',
    leftOut: {
      avatar_file: 'the picture itself is in the copy',
      id_card_file: 'the picture itself is in the copy',
      account_id: internal,
      deleted_at: 'empty while the account is open',
      erased_at: 'empty while the account is open',
    },
  },
  ledger_accounts: {
    file: 'account.json',
    about: 'your account, with amounts in cents',
    columns:
      'number balance entry_count sent received is_approved is_frozen frozen_by_bank frozen_by_owner step_up_from daily_out opened_at',
    leftOut: { id: internal, owner: internal, kind: internal, is_closed: 'false while the account is open' },
  },
  payees: {
    file: 'payees.json',
    about: 'the payees that you saved',
    columns: 'id bank_name account_name account_number nickname created_at last_paid_at',
    leftOut: { account_id: internal },
  },
  push_devices: {
    file: 'push-devices.json',
    about: 'the devices on which you get push notifications',
    columns: 'id device money security shows_amounts created_at',
    leftOut: { account_id: internal, endpoint: secret, p256dh: secret, auth: secret },
  },
  customer_notes: {
    file: 'notes.json',
    about: 'the notes that we wrote about you',
    columns: 'id text at',
    leftOut: { customer_id: internal, author: 'an employee of the bank' },
  },
  customer_changes: {
    file: 'changes.json',
    about: 'changes of your name and email that we made for you',
    columns: 'id field former value reason at',
    leftOut: { customer_id: internal, author: 'an employee of the bank' },
  },
  id_requests: {
    file: 'id-requests.json',
    about: 'why we asked you for another ID document',
    columns: 'reason at',
    leftOut: { customer_id: internal },
  },
  sent_mails: {
    file: 'mails.json',
    about: 'the mails that we sent you',
    columns: 'id template subject at',
    leftOut: { person_id: internal },
  },
  screening_hits: leaveOut(
    'id customer_id entry_id match_hash listed_name date_of_birth program score found_at state decided_by decided_at reason',
    'a bank may not disclose that it examines a match with a sanctions list',
  ),
  scheduled_transfers: {
    file: 'scheduled-transfers.json',
    about: 'the transfers that you scheduled, with amounts in cents',
    columns:
      'id bank_name account_name account_number amount description start_date frequency end_date max_count is_paused next_date created_at deleted_at',
    leftOut: {
      account_id: internal,
      customer_id: internal,
      next_index: internal,
      retry_at: internal,
      reminded_for: internal,
      key_hash: internal,
      request_hash: internal,
    },
  },
  scheduled_runs: {
    file: 'scheduled-transfer-runs.json',
    about: 'when your scheduled transfers ran, with amounts in cents',
    columns: 'schedule_id amount date result reason transaction_id at',
    leftOut: { account_id: internal, notification_id: internal },
  },
  goals: {
    file: 'savings-goals.json',
    about: 'your savings goals, with amounts in cents',
    columns:
      'id name picture target target_date rule_amount rule_frequency rule_start rule_date rule_ran_on rule_moved round_up_on created_at deleted_at',
    leftOut: {
      account_id: internal,
      ledger_account: internal,
      rule_index: internal,
      rule_retry_at: internal,
      round_up_seq: internal,
      key_hash: internal,
      request_hash: internal,
    },
  },
  authenticator_apps: {
    file: 'authenticator-app.json',
    about: 'when you set up an authenticator app',
    columns: 'started_at confirmed_at trusted_at',
    leftOut: { person_id: internal, secret, last_step: secret },
  },
  recovery_codes: {
    file: 'recovery-codes.json',
    about: 'which of your recovery codes were used',
    columns: 'used_at',
    leftOut: { person_id: internal, code_hash: secret },
  },
  passkeys: {
    file: 'passkeys.json',
    about: 'the passkeys that you saved',
    columns: 'id name transports created_at last_used_at trusted_at',
    leftOut: { person_id: internal, credential_id: secret, public_key: secret, counter: internal },
  },
  factor_resets: {
    file: 'login-resets.json',
    about: 'requests to reset how you log in',
    columns: 'id requested_at effective_at',
    leftOut: { person_id: internal, requested_by: 'an employee of the bank' },
  },
  alerts: {
    file: 'alerts.json',
    about: 'the alerts about your account, with amounts in cents',
    columns:
      'id rule day network device transaction_id amount balance payments receivers at status closed_at',
    leftOut: {
      customer_id: internal,
      logins: 'only of networks that guess logins',
      assigned_to: 'an employee of the bank',
      closed_by: 'an employee of the bank',
      note: 'written for employees of the bank only',
    },
  },
  guessed_customers: {
    file: 'guessed-logins.json',
    about: 'when we warned you that wrong passwords were tried at your login',
    columns: 'day',
    leftOut: { customer_id: internal, alert_id: internal },
  },
  login_guesses: {
    leftOut: {
      network: 'the address of another person',
      address_key: secret,
      person_id: internal,
      at: 'in the failed logins',
    },
  },
  notification_preferences: {
    file: 'notification-settings.json',
    about: 'how you want to be notified',
    columns: 'kind bell mail',
    leftOut: { account_id: internal },
  },
  summary_mails: {
    file: 'waiting-mails.json',
    about: 'the transfers that your next summary will list',
    columns: 'transaction_id is_daily due_at',
    leftOut: { step: internal, side: internal, account_id: internal, mail_id: internal, tries: internal },
  },
  step_ups: {
    file: 'confirmations.json',
    about: 'the confirmations that you were asked for, with amounts in cents',
    columns: 'id act amount receiver created_at expires_at codes_sent_at attempts used_at voided_at',
    leftOut: {
      customer_id: internal,
      session_id: secret,
      act_hash: secret,
      code_hash: secret,
      proof_hash: secret,
      proof_expires_at: internal,
    },
  },
  export_jobs: {
    file: 'copies.json',
    about: 'the copies of your data that you asked for',
    columns: 'id created_at progress ready_at size expires_at',
    leftOut: { customer_id: internal, salt: secret },
  },
  used_freeze_links: {
    leftOut: { id: secret, customer_id: internal, used_at: 'in the activity' },
  },
  notifications: {
    file: 'notifications.json',
    about: 'your notifications',
    columns: 'id kind transaction_id created_at read_at',
    leftOut: { account_id: internal },
  },
  sessions: {
    file: 'sessions.json',
    about: 'when and where you logged in',
    columns: 'address device network created_at expires_at ended_at last_seen_at',
    leftOut: { id: secret, person_id: internal, kind: internal },
  },
  contact_messages: {
    file: 'messages.json',
    about: 'the messages that you sent us with the contact form',
    columns: 'id name email subject message address at closed_at is_logged_in',
    leftOut: {
      owner: 'describes an administrator',
      customer_id: internal,
      visitor_email: 'the same as email',
    },
  },
  last_logins: leaveOut('customer_id at', 'the newest of your sessions'),
  email_requests: {
    file: 'email-requests.json',
    about: 'new emails of your account that the bank’s staff asked a second person to approve',
    columns: 'email',
    leftOut: { request_id: internal, customer_id: internal },
  },
  contact_answers: {
    file: 'message-answers.json',
    about: 'our answers to your messages',
    columns: 'id message_id text at',
    leftOut: { author: 'an employee of the bank' },
    partOf: { column: 'message_id', table: 'contact_messages' },
  },
  external_transfers: leaveOut(
    'transaction_id bank_name account_name account_number name_salt status submitted_at expected_by decided_at return_reason',
    'in the transactions',
  ),
  deposits: leaveOut(
    'ref transaction_id amount bank_name account_number sender_name name_salt received_at return_reason',
    'in the transactions',
  ),
  rail_files: leaveOut(
    'id direction name format message_id counterparty sha256 lines cents state reason made_at done_at content',
    'the files between banks, with the payments of many customers',
  ),
  rail_incoming: leaveOut(
    'id file_id line kind amount currency keys code ref outcome transaction_id account_number party_name bank_name text original',
    'messages between banks; what they did is in the transactions',
  ),
  search_texts: leaveOut('type first last texts', 'the same words as in the transactions'),
  retained_identities: leaveOut(
    'customer_id key_id sealed closed_at erase_after',
    'empty while the account is open',
  ),
  login_devices: {
    file: 'login-devices.json',
    about: 'the browsers that you used, with their failed logins',
    columns:
      'wrong_passwords wrong_codes wrong_reset_codes locked_until reset_locked_until lock_mailed_at expires_at',
    leftOut: { person_id: internal, browser: secret, lock_notified: internal },
  },
  failed_attempts: {
    file: 'failed-logins.json',
    about: 'recent failed logins',
    columns: 'action attempts began_at',
    leftOut: { id: internal, kind: internal, person_id: internal },
  },
  statements: {
    file: 'statements.json',
    about: 'the figures of your sealed statements, with amounts in cents',
    columns: 'month opening closing money_in money_out count made_at',
    leftOut: { account_id: internal, content_hash: 'evidence', file_hash: 'evidence' },
  },
  credentials: { leftOut: { person_id: internal, kind: internal, password_hash: secret } },
  codes: leaveOut(
    'id person_id browser code_hash purpose begun_at created_at expires_at attempts consumed_at superseded_at',
    secret,
  ),
};

/** How the customer's rows are found where the erasure list does not say it. */
export const owners: Readonly<Record<string, Readonly<Record<string, ErasedKey>>>> = {
  customers: { id: 'customerId' },
  ledger_accounts: { id: 'accountId' },
  statements: { account_id: 'accountId' },
};
