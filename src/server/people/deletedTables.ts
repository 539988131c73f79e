/**
 * The tables whose rows are deleted with the customer, and which of their columns the copy of all data contains: see
 * `personalData.ts`.
 */
import type { PersonalTable } from './personalData.ts';

const employee = 'an employee of the bank';
const secret = 'a secret';
const internal = 'a key of the database';

export const deletedTables: Readonly<Record<string, PersonalTable>> = {
  credentials: {
    deletedWhere: { person_id: 'customerId' },
    leftOut: { kind: internal, password_hash: secret },
  },
  login_devices: {
    deletedWhere: { person_id: 'customerId' },
    file: 'login-devices.json',
    about: 'browsers that you logged in with, and how many wrong passwords and codes were entered in each',
    copied:
      'wrong_passwords wrong_codes wrong_reset_codes locked_until reset_locked_until lock_mailed_at expires_at',
    leftOut: { browser: secret, lock_notified: internal },
  },
  codes: {
    deletedWhere: { person_id: 'customerId' },
    leftOut: secret,
  },
  authenticator_apps: {
    deletedWhere: { person_id: 'customerId' },
    file: 'authenticator-app.json',
    about: 'when you set up an authenticator app',
    copied: 'started_at confirmed_at trusted_at',
    leftOut: { secret, last_step: secret },
  },
  recovery_codes: {
    deletedWhere: { person_id: 'customerId' },
    file: 'recovery-codes.json',
    about: 'which of your recovery codes were used',
    copied: 'used_at',
    leftOut: { code_hash: secret },
  },
  passkeys: {
    deletedWhere: { person_id: 'customerId' },
    file: 'passkeys.json',
    about: 'the passkeys that you saved',
    copied: 'id name transports created_at last_used_at trusted_at',
    leftOut: { credential_id: secret, public_key: secret, counter: internal },
  },
  factor_resets: {
    deletedWhere: { person_id: 'customerId' },
    file: 'login-resets.json',
    about: 'requests to reset how you log in',
    copied: 'id requested_at effective_at',
    leftOut: { requested_by: employee },
  },
  sessions: {
    deletedWhere: { person_id: 'customerId' },
    file: 'sessions.json',
    about: 'when and where you logged in',
    copied: 'address device network counts_as_known created_at expires_at ended_at last_seen_at',
    leftOut: { id: secret, kind: internal },
  },
  notifications: {
    deletedInBatches: { account_id: 'accountId' },
    file: 'notifications.json',
    about:
      'your notifications. transactions.json has the transfers; a transfer’s notification is here only if you marked it as read',
    copied: 'id kind transaction_id created_at read_at',
  },
  payees: {
    deletedWhere: { account_id: 'accountId' },
    file: 'payees.json',
    about: 'the payees that you saved',
    copied: 'id bank_name account_name account_number nickname created_at last_paid_at',
  },
  push_devices: {
    deletedWhere: { account_id: 'accountId' },
    file: 'push-devices.json',
    about: 'the devices on which you get push notifications',
    copied: 'id device money security shows_amounts created_at',
    leftOut: { endpoint: secret, p256dh: secret, auth: secret },
  },
  step_ups: {
    deletedWhere: { customer_id: 'customerId' },
    file: 'confirmations.json',
    about: 'the confirmations that you were asked for',
    copied: 'id act amount receiver created_at expires_at codes_sent_at attempts used_at voided_at',
    cents: 'amount',
    leftOut: {
      session_id: secret,
      act_hash: secret,
      code_hash: secret,
      proof_hash: secret,
      proof_expires_at: internal,
      app_steps: internal,
    },
  },
  used_freeze_links: {
    deletedWhere: { customer_id: 'customerId' },
    leftOut: { id: secret, used_at: 'in the activity' },
  },
  export_jobs: {
    deletedWhere: { customer_id: 'customerId' },
    file: 'copies.json',
    about: 'the copies of your data that you asked for',
    copied: 'id created_at progress ready_at size expires_at',
    leftOut: { salt: secret },
  },
  scheduled_transfers: {
    deletedWhere: { account_id: 'accountId' },
    file: 'scheduled-transfers.json',
    about: 'the transfers that you scheduled',
    copied:
      'id bank_name account_name account_number amount description start_date frequency end_date max_count is_paused next_date created_at deleted_at',
    cents: 'amount',
    days: 'start_date end_date next_date',
    leftOut: {
      customer_id: internal,
      next_index: internal,
      retry_at: internal,
      reminded_for: internal,
      key_hash: internal,
      request_hash: internal,
    },
  },
  scheduled_runs: {
    deletedWhere: { account_id: 'accountId' },
    file: 'scheduled-transfer-runs.json',
    about: 'when your scheduled transfers ran',
    copied: 'schedule_id amount date result reason transaction_id at',
    cents: 'amount',
    days: 'date',
    leftOut: { notification_id: internal },
  },
  goals: {
    deletedWhere: { account_id: 'accountId' },
    file: 'savings-goals.json',
    about: 'your savings goals',
    copied:
      'id name picture target target_date rule_amount rule_frequency rule_start rule_date rule_ran_on rule_moved round_up_on created_at deleted_at',
    cents: 'target rule_amount',
    days: 'target_date rule_start rule_date rule_ran_on round_up_on',
    leftOut: {
      ledger_account: internal,
      rule_index: internal,
      rule_retry_at: internal,
      round_up_seq: internal,
      key_hash: internal,
      request_hash: internal,
    },
  },
  contact_messages: {
    deletedWhere: { customer_id: 'customerId', visitor_email: 'email' },
    file: 'messages.json',
    about: 'the messages that you sent us with the contact form',
    copied: 'id name email subject message address at closed_at is_logged_in',
    leftOut: {
      owner: 'describes an administrator',
      visitor_email: 'the same as email',
    },
  },
  failed_attempts: {
    deletedWhere: { person_id: 'customerId' },
    file: 'failed-logins.json',
    about: 'recent failed logins',
    copied: 'action attempts began_at',
    leftOut: { id: internal, kind: internal },
  },
  customer_notes: {
    deletedWhere: { customer_id: 'customerId' },
    file: 'notes.json',
    about: 'the notes that we wrote about you',
    copied: 'id text at',
    leftOut: { author: employee },
  },
  last_logins: {
    deletedWhere: { customer_id: 'customerId' },
    leftOut: 'the newest of your sessions',
  },
  customer_changes: {
    deletedWhere: { customer_id: 'customerId' },
    file: 'changes.json',
    about: 'changes of your name and email that we made for you',
    copied: 'id field former value was_proven reason at',
    leftOut: { author: employee },
  },
  alerts: {
    deletedWhere: { customer_id: 'customerId' },
    file: 'alerts.json',
    about: 'the alerts about your account',
    copied: 'id rule day network device transaction_id amount balance payments receivers at status closed_at',
    cents: 'amount balance',
    days: 'day',
    leftOut: {
      logins: 'only of networks that guess logins',
      assigned_to: employee,
      closed_by: employee,
      note: 'written for employees of the bank only',
    },
  },
  guessed_customers: {
    deletedWhere: { customer_id: 'customerId' },
    file: 'guessed-logins.json',
    about: 'when we warned you that someone tried wrong passwords on your login',
    copied: 'day',
    days: 'day',
    leftOut: { alert_id: internal },
  },
  login_guesses: {
    deletedWhere: { person_id: 'customerId' },
    leftOut: {
      network: 'the address of another person',
      address_key: secret,
      at: 'in the failed logins',
    },
  },
  notification_preferences: {
    deletedWhere: { account_id: 'accountId' },
    file: 'notification-settings.json',
    about: 'how you want to be notified',
    copied: 'kind bell mail',
  },
  summary_mails: {
    deletedWhere: { account_id: 'accountId' },
    file: 'waiting-mails.json',
    about: 'the transfers that your next summary will list',
    copied: 'transaction_id is_daily due_at',
    leftOut: { step: internal, side: internal, mail_id: internal, tries: internal },
  },
  id_requests: {
    deletedWhere: { customer_id: 'customerId' },
    file: 'id-requests.json',
    about: 'why we asked you for another ID document',
    copied: 'reason at',
  },
  sent_mails: {
    deletedWhere: { person_id: 'customerId' },
    file: 'mails.json',
    about: 'the mails that we sent you in the last 13 months, except those about transfers',
    copied: 'id template subject at',
  },
  screening_hits: {
    deletedWhere: { customer_id: 'customerId' },
    leftOut: 'a bank may not disclose that it examines a match with a sanctions list',
  },
  screening_more_matches: {
    deletedWhere: { customer_id: 'customerId' },
    leftOut: 'a bank may not disclose that it examines a match with a sanctions list',
  },
  replaced_identities: {
    deletedWhere: { customer_id: 'customerId' },
    leftOut: 'evidence that the law requires; only an auditor can open it, after the account is closed',
  },
  email_requests: {
    deletedWhere: { customer_id: 'customerId' },
    file: 'email-requests.json',
    about: 'requests of our staff to change your email that a second person has approved',
    copied: 'email',
    // The new address is often a safe one, while a thief who can make a copy is still at the owner's open session. A request
    // that was not carried out can be made again.
    copiedIf: `EXISTS (SELECT FROM approval_requests q WHERE q.id = request_id AND q.status = 'done')`,
    leftOut: { request_id: internal },
  },
};
