/**
 * What the bank stores about people: each column of each table, with what happens to it when a customer is erased and whether
 * the copy of all data (`jobs/everything.ts`) has it. JSON columns and files are in `jsonErasure.ts`. `erasing.ts` derives what
 * it deletes from here, and its test compares the list with the database.
 */
import { books, evidence, whyActed } from './jsonErasure.ts';

/** The value of the customer that selects rows. */
export type CustomerKey = 'customerId' | 'accountId' | 'email';

/** Columns in a text are separated by blanks. Each column of a table has an entry, or the tests fail. */
export type PersonalTable = {
  /** `erasePerson` deletes the rows in which this column has this value of the customer. */
  readonly deletedWhere?: Readonly<Record<string, CustomerKey>>;
  /** `eraseInBatches` deletes the rows in which this column has this value: there may be millions. */
  readonly deletedInBatches?: Readonly<Record<string, 'accountId'>>;

  // If the rows stay, each column is in exactly one of these four groups.
  /** `erasePerson` overwrites these columns in the customer's row with these values. */
  readonly erased?: Readonly<Record<string, string | boolean | null>>;
  /** Erased by other code, which the value names. */
  readonly erasedElsewhere?: Readonly<Record<string, string>>;
  /** Personal, but kept; the value is the reason. */
  readonly kept?: Readonly<Record<string, string>>;
  /** Not personal data. */
  readonly notPersonal?: string;

  // A table with such rows is in the copy of all data, each column copied or left out, except those of `deletedWhere`.
  /** The file in the copy. */
  readonly file?: string;
  /** What the README of the copy says about the file. */
  readonly about?: string;
  readonly copied?: string;
  /** Why a column, or the whole table, is not in the copy. */
  readonly leftOut?: string | Readonly<Record<string, string>>;
  /** How the customer's rows are found if they stay. */
  readonly foundBy?: Readonly<Record<string, CustomerKey>>;
  /** The rows belong to those of another table of the customer, whose id is in this column. */
  readonly partOf?: { readonly column: string; readonly table: string };
};

const administrator = 'describes an administrator, whose record stays';
const untilApplied = '`applyLines`, `updateRailException` or `cleanUpRail`, when it is no longer needed';
const listedPerson = 'published by an authority about listed people, and replaced with the next list';
const employee = 'an employee of the bank';
const secret = 'a secret';
const internal = 'a key of the database';

export const personalData: Readonly<Record<string, PersonalTable>> = {
  customers: {
    erased: {
      first_name: '',
      middle_name: '',
      last_name: '',
      gender: '',
      address: '',
      region: '',
      zip_code: '',
      city: null,
      date_of_birth: null,
      email: '',
      phone_number: '',
      is_verified: false,
      is_date_of_birth_verified: false,
      terms_version: null,
      terms_accepted_at: null,
    },
    erasedElsewhere: {
      avatar_file: '`finishErasures`, after it has removed the file',
      id_card_file: '`finishErasures`, after it has removed the file',
      id_card_at: '`finishErasures`, together with id_card_file',
    },
    kept: { id: evidence, account_id: books },
    notPersonal: 'email_proven_at created_at deleted_at erased_at',
    foundBy: { id: 'customerId' },
    file: 'profile.json',
    about: 'your name, contact details and identity',
    copied:
      'id first_name middle_name last_name gender address region zip_code city date_of_birth email phone_number is_verified is_date_of_birth_verified terms_version terms_accepted_at email_proven_at created_at id_card_at',
    leftOut: {
      avatar_file: 'the picture itself is in the copy',
      id_card_file: 'the picture itself is in the copy',
      account_id: internal,
      deleted_at: 'empty while the account is open',
      erased_at: 'empty while the account is open',
    },
  },
  credentials: {
    deletedWhere: { person_id: 'customerId' },
    leftOut: { kind: internal, password_hash: secret },
  },
  login_devices: {
    deletedWhere: { person_id: 'customerId' },
    file: 'login-devices.json',
    about: 'the browsers that you used, with their failed logins',
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
  used_challenges: { notPersonal: 'challenge expires_at' },
  factor_resets: {
    deletedWhere: { person_id: 'customerId' },
    file: 'login-resets.json',
    about: 'requests to reset how you log in',
    copied: 'id effective_at',
    leftOut: { requested_by: employee },
  },
  sessions: {
    deletedWhere: { person_id: 'customerId' },
    file: 'sessions.json',
    about: 'when and where you logged in',
    copied: 'address device network created_at expires_at ended_at last_seen_at',
    leftOut: { id: secret, kind: internal },
  },
  notifications: {
    deletedInBatches: { account_id: 'accountId' },
    file: 'notifications.json',
    about: 'your notifications',
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
  pushes: { notPersonal: 'device_id notification_id tries due_at' },
  step_ups: {
    deletedWhere: { customer_id: 'customerId' },
    file: 'confirmations.json',
    about: 'the confirmations that you were asked for, with amounts in cents',
    copied: 'id act amount receiver created_at expires_at codes_sent_at attempts used_at voided_at',
    leftOut: {
      session_id: secret,
      act_hash: secret,
      code_hash: secret,
      proof_hash: secret,
      proof_expires_at: internal,
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
    about: 'the transfers that you scheduled, with amounts in cents',
    copied:
      'id bank_name account_name account_number amount description start_date frequency end_date max_count is_paused next_date created_at deleted_at',
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
    about: 'when your scheduled transfers ran, with amounts in cents',
    copied: 'schedule_id amount date result reason transaction_id at',
    leftOut: { notification_id: internal },
  },
  goals: {
    deletedWhere: { account_id: 'accountId' },
    file: 'savings-goals.json',
    about: 'your savings goals, with amounts in cents',
    copied:
      'id name picture target target_date rule_amount rule_frequency rule_start rule_date rule_ran_on rule_moved round_up_on created_at deleted_at',
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
  contact_answers: {
    erasedElsewhere: { text: 'its foreign key, together with the message' },
    kept: { author: administrator },
    notPersonal: 'id message_id at',
    file: 'message-answers.json',
    about: 'our answers to your messages',
    copied: 'id message_id text at',
    leftOut: { author: employee },
    partOf: { column: 'message_id', table: 'contact_messages' },
  },
  address_attempts: {
    kept: { address_key: 'a keyed hash that only the server can compute, deleted after a day' },
    notPersonal: 'unknown_attempts codes_requested_at touched_at',
  },
  failed_attempts: {
    deletedWhere: { person_id: 'customerId' },
    file: 'failed-logins.json',
    about: 'recent failed logins',
    copied: 'action attempts began_at',
    leftOut: { id: internal, kind: internal },
  },
  admins: {
    kept: { id: administrator, email: administrator, name: administrator, role: administrator },
    notPersonal: 'created_at disabled_at',
  },
  ledger_accounts: {
    kept: {
      id: books,
      owner: books,
      number: books,
      balance: books,
      entry_count: books,
      sent: books,
      received: books,
    },
    notPersonal:
      'kind is_approved frozen_by_bank frozen_by_owner is_frozen is_closed opened_at step_up_from daily_out',
    foundBy: { id: 'accountId' },
    file: 'account.json',
    about: 'your account, with amounts in cents',
    copied:
      'number balance entry_count sent received is_approved is_frozen frozen_by_bank frozen_by_owner step_up_from daily_out opened_at',
    leftOut: {
      id: internal,
      owner: internal,
      kind: internal,
      is_closed: 'false while the account is open',
    },
  },
  transactions: {
    kept: {
      sender_account: books,
      receiver_account: books,
      actor: evidence,
      description: 'part of the entry, which the other side reads too',
    },
    notPersonal: 'id type amount sender_seq receiver_seq created_at key_hash request_hash reference',
  },
  journal_entries: {
    kept: { debit_account: books, credit_account: books, debit_balance: books, credit_balance: books },
    notPersonal: 'transaction_id step kind amount posted_at',
  },
  goal_movements: {
    kept: { account: books, goal_account: books, actor: evidence },
    notPersonal: 'id amount after_seq cause created_at key_hash request_hash',
  },
  external_transfers: {
    erasedElsewhere: {
      account_name: '`eraseAccountNames`, or the end of the transfer that still needs it',
      name_salt: 'the trigger `destroy_name_salt`, together with account_name',
    },
    kept: { bank_name: 'says where the money went', account_number: 'says where the money went' },
    notPersonal: 'transaction_id status submitted_at expected_by decided_at return_reason',
    leftOut: 'in the transactions',
  },
  deposits: {
    erasedElsewhere: {
      sender_name: '`eraseAccountNames`',
      name_salt: '`erase_depositors`, together with sender_name',
    },
    kept: { bank_name: 'says where the money came from', account_number: books },
    notPersonal: 'ref transaction_id amount received_at return_reason',
    leftOut: 'in the transactions',
  },
  rail_files: {
    erasedElsewhere: { content: '`cleanUpRail`, when the last payment of the file has ended' },
    notPersonal: 'id direction name format message_id sha256 lines cents state reason made_at done_at',
    leftOut: 'the files between banks, with the payments of many customers',
  },
  rail_incoming: {
    erasedElsewhere: { party_name: untilApplied, original: untilApplied },
    kept: { account_number: books, bank_name: books, text: 'what another bank wrote about a payment' },
    notPersonal: 'id file_id line kind amount currency keys code ref outcome transaction_id',
    leftOut: 'messages between banks; what they did is in the transactions',
  },
  rail_outgoing: { notPersonal: 'id transaction_id return_of code due_at file_id line key' },
  rail_exceptions: {
    kept: { assigned_to: administrator, resolved_by: administrator, note: whyActed },
    notPersonal: 'id incoming_id reason at resolved_at',
  },
  search_texts: {
    erasedElsewhere: {
      texts: 'the trigger `refresh_search_texts`, with the name of an account at another bank',
    },
    notPersonal: 'type first last',
    leftOut: 'the same words as in the transactions',
  },
  statements: {
    kept: {
      account_id: books,
      opening: books,
      closing: books,
      money_in: books,
      money_out: books,
      count: books,
      content_hash: evidence,
      file_hash: evidence,
    },
    notPersonal: 'month made_at',
    foundBy: { account_id: 'accountId' },
    file: 'statements.json',
    about: 'the figures of your sealed statements, with amounts in cents',
    copied: 'month opening closing money_in money_out count made_at',
    leftOut: { account_id: internal, content_hash: 'evidence', file_hash: 'evidence' },
  },
  refused_requests: { notPersonal: 'key_hash request_hash outcome at' },
  transaction_totals: { notPersonal: 'day type status shard count cents' },
  page_checkpoints: { notPersonal: 'place id transfers credits externals reversals deposits pending failed' },
  audit_log: {
    kept: {
      actor_id: evidence,
      subject: evidence,
      address: 'evidence of where an act came from; without a name it is an address like any other',
      data: 'see `jsonErasure`',
    },
    notPersonal: 'id at actor_kind action',
  },
  audit_seals: { notPersonal: 'position audit_id hash evidence' },
  sealed_days: { notPersonal: 'position audit_id hash sealed_at last_transaction mac' },
  sealed_balances: {
    kept: { account_id: books, balance: books, entry_count: books, sent: books, received: books },
  },
  transfer_mails: { notPersonal: 'id transaction_ids step mailed tries unanswered due_at created_at' },
  readiness_probe: { notPersonal: 'checked_at' },
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
    copied: 'id field former value reason at',
    leftOut: { author: employee },
  },
  alerts: {
    deletedWhere: { customer_id: 'customerId' },
    file: 'alerts.json',
    about: 'the alerts about your account, with amounts in cents',
    copied: 'id rule day network device transaction_id amount balance payments receivers at status closed_at',
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
    about: 'when we warned you that wrong passwords were tried at your login',
    copied: 'day',
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
  alert_progress: { notPersonal: 'only_row position' },
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
    about: 'the mails that we sent you',
    copied: 'id template subject at',
  },
  screening_hits: {
    deletedWhere: { customer_id: 'customerId' },
    leftOut: 'a bank may not disclose that it examines a match with a sanctions list',
  },
  screening_entries: {
    kept: { name: listedPerson, aliases: listedPerson, date_of_birth: listedPerson },
    notPersonal: 'id program hash',
  },
  screening_names: { kept: { name: listedPerson, folded: listedPerson }, notPersonal: 'entry_id' },
  screening_imports: { notPersonal: 'id imported_at entries screened_to screened finished_at' },
  admin_links: { kept: { admin_id: administrator }, notPersonal: 'id expires_at' },
  approval_requests: {
    kept: {
      asked_by: administrator,
      decided_by: administrator,
      member_id: administrator,
      email: administrator,
      name: administrator,
      role: administrator,
      former_role: administrator,
      address: 'where an administrator asked from',
      customer_id: evidence,
      description: 'part of the entry that it was asked for',
      reason: whyActed,
      outcome: whyActed,
      bank_name: 'says where unclaimed money was to go',
      account_name: 'says to whom the bank was to pay unclaimed money, which it must be able to show',
      account_number: 'says where unclaimed money was to go',
    },
    notPersonal:
      'id kind status asked_at expires_at decided_at result_id key_hash request_hash amount transaction_id from_cents',
  },
  email_requests: {
    deletedWhere: { customer_id: 'customerId' },
    file: 'email-requests.json',
    about: 'new emails of your account that the bank’s staff asked a second person to approve',
    copied: 'email',
    leftOut: { request_id: internal },
  },
  four_eyes: { notPersonal: 'only_row from_cents' },
  book_proofs: {
    kept: { asked_by: administrator },
    notPersonal:
      'id started_at finished_at is_whole state records all_records transactions faults customers treasury clearing unclaimed pending_count pending_cents held_count held_cents overdue_count overdue_cents',
  },
  reversals: { notPersonal: 'transaction_id original_id' },
  unclaimed_payouts: { kept: { account_id: books }, notPersonal: 'transaction_id source_id' },
  retained_identities: {
    erasedElsewhere: { sealed: '`eraseRetained`, when RETENTION_YEARS are over; its key first' },
    kept: { customer_id: evidence },
    notPersonal: 'key_id closed_at erase_after',
    leftOut: 'empty while the account is open',
  },
  app_secrets: { notPersonal: 'key_id first_used_at released_at' },
  seal_keys: { notPersonal: 'from_position key_id wrapped' },
  bank_state: { notPersonal: 'only_row bank_id held_since verified_at' },
  job_runs: { notPersonal: 'name' },
  'graphile_worker._private_jobs': {
    kept: {
      payload: 'see `jsonErasure`',
      last_error: 'the mail server’s message is removed before it is stored',
      key: 'names at most a transaction, or a network that guesses passwords',
    },
    notPersonal:
      'id job_queue_id task_id priority run_at attempts max_attempts created_at updated_at locked_at locked_by revision flags is_available',
  },
  'graphile_worker._private_job_queues': { notPersonal: 'id queue_name locked_at locked_by is_available' },
  'graphile_worker._private_known_crontabs': { notPersonal: 'identifier known_since last_execution' },
  'graphile_worker._private_tasks': { notPersonal: 'id identifier' },
  'graphile_worker.migrations': { notPersonal: 'id ts breaking' },
  migration_checksums: { notPersonal: 'name checksum' },
  schema_version: { notPersonal: 'is_only_row version works_with_servers_from' },
};
