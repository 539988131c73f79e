/**
 * Lists what happens to all stored data when a customer is erased: each column of each table. JSON columns and files are in
 * `jsonErasure.ts`. `erasing.ts` derives what it deletes from here, and its test compares the list with the database.
 */
import { books, evidence, whyActed } from './jsonErasure.ts';

/** The value of the customer that selects the rows to delete. */
export type ErasedKey = 'customerId' | 'accountId' | 'email';

/** Each column of a table is in exactly one of these groups. Columns in a text are separated by blanks. */
export type TableErasure = {
  /** `erasePerson` overwrites these columns in the customer's row with these values. */
  readonly erased?: Readonly<Record<string, string | boolean | null>>;
  /** `erasePerson` deletes the rows in which this column has this value of the customer. */
  readonly deletedWhere?: Readonly<Record<string, ErasedKey>>;
  /** `eraseInBatches` deletes the rows in which this column has this value: there may be millions. */
  readonly deletedInBatches?: Readonly<Record<string, 'accountId'>>;
  /** Personal columns that are deleted with those rows. */
  readonly deleted?: string;
  /** Erased by other code, which the value names. */
  readonly erasedElsewhere?: Readonly<Record<string, string>>;
  /** Personal, but kept; the value is the reason. */
  readonly kept?: Readonly<Record<string, string>>;
  /** Not personal data. */
  readonly notPersonal?: string;
};

const administrator = 'describes an administrator, whose record stays';
const untilApplied = '`applyLines`, `updateRailException` or `cleanUpRail`, when it is no longer needed';
const listedPerson = 'published by an authority about listed people, and replaced with the next list';

export const erasureList: Readonly<Record<string, TableErasure>> = {
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
  },
  credentials: {
    deletedWhere: { person_id: 'customerId' },
    deleted: 'person_id password_hash',
    notPersonal: 'kind',
  },
  login_devices: {
    deletedWhere: { person_id: 'customerId' },
    deleted: 'person_id browser',
    notPersonal:
      'wrong_passwords wrong_codes wrong_reset_codes locked_until reset_locked_until lock_notified lock_mailed_at expires_at',
  },
  codes: {
    deletedWhere: { person_id: 'customerId' },
    deleted: 'person_id browser code_hash',
    notPersonal: 'id purpose begun_at created_at expires_at attempts consumed_at superseded_at',
  },
  authenticator_apps: {
    deletedWhere: { person_id: 'customerId' },
    deleted: 'person_id secret',
    notPersonal: 'started_at confirmed_at last_step trusted_at',
  },
  recovery_codes: {
    deletedWhere: { person_id: 'customerId' },
    deleted: 'person_id code_hash',
    notPersonal: 'used_at',
  },
  passkeys: {
    deletedWhere: { person_id: 'customerId' },
    deleted: 'person_id credential_id public_key name transports',
    notPersonal: 'id counter created_at last_used_at trusted_at',
  },
  used_challenges: { notPersonal: 'challenge expires_at' },
  factor_resets: {
    deletedWhere: { person_id: 'customerId' },
    deleted: 'person_id',
    kept: { requested_by: administrator },
    notPersonal: 'id requested_at effective_at',
  },
  sessions: {
    deletedWhere: { person_id: 'customerId' },
    deleted: 'person_id address device network created_at expires_at ended_at last_seen_at',
    notPersonal: 'id kind',
  },
  notifications: {
    deletedInBatches: { account_id: 'accountId' },
    notPersonal: 'account_id id kind transaction_id created_at read_at',
  },
  payees: {
    deletedWhere: { account_id: 'accountId' },
    deleted: 'account_id bank_name account_name account_number nickname',
    notPersonal: 'id created_at last_paid_at',
  },
  push_devices: {
    deletedWhere: { account_id: 'accountId' },
    deleted: 'account_id endpoint p256dh auth device',
    notPersonal: 'id money security shows_amounts created_at',
  },
  pushes: { notPersonal: 'device_id notification_id tries due_at' },
  step_ups: {
    deletedWhere: { customer_id: 'customerId' },
    deleted: 'customer_id session_id amount receiver act_hash code_hash',
    notPersonal:
      'id act created_at expires_at codes_sent_at attempts proof_hash proof_expires_at used_at voided_at',
  },
  used_freeze_links: {
    deletedWhere: { customer_id: 'customerId' },
    deleted: 'customer_id',
    notPersonal: 'id used_at',
  },
  export_jobs: {
    deletedWhere: { customer_id: 'customerId' },
    deleted: 'customer_id salt',
    notPersonal: 'id created_at progress ready_at size expires_at',
  },
  scheduled_transfers: {
    deletedWhere: { account_id: 'accountId' },
    deleted:
      'account_id customer_id bank_name account_name account_number amount description start_date frequency end_date max_count',
    notPersonal:
      'id is_paused next_index next_date retry_at reminded_for created_at deleted_at key_hash request_hash',
  },
  scheduled_runs: {
    deletedWhere: { account_id: 'accountId' },
    deleted: 'account_id amount date',
    notPersonal: 'schedule_id result reason transaction_id at notification_id',
  },
  goals: {
    deletedWhere: { account_id: 'accountId' },
    deleted: 'account_id name picture target target_date rule_amount rule_frequency rule_start',
    notPersonal:
      'id ledger_account rule_index rule_date rule_retry_at rule_ran_on rule_moved round_up_seq round_up_on created_at deleted_at key_hash request_hash',
  },
  contact_messages: {
    deletedWhere: { customer_id: 'customerId', visitor_email: 'email' },
    deleted: 'name email subject message address customer_id visitor_email',
    kept: { owner: administrator },
    notPersonal: 'id at closed_at is_logged_in',
  },
  contact_answers: {
    erasedElsewhere: { text: 'its foreign key, together with the message' },
    kept: { author: administrator },
    notPersonal: 'id message_id at',
  },
  address_attempts: {
    kept: { address_key: 'a keyed hash that only the server can compute, deleted after a day' },
    notPersonal: 'unknown_attempts codes_requested_at touched_at',
  },
  failed_attempts: {
    deletedWhere: { person_id: 'customerId' },
    deleted: 'person_id',
    notPersonal: 'id kind action attempts began_at',
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
  },
  deposits: {
    erasedElsewhere: {
      sender_name: '`eraseAccountNames`',
      name_salt: '`erase_depositors`, together with sender_name',
    },
    kept: { bank_name: 'says where the money came from', account_number: books },
    notPersonal: 'ref transaction_id amount received_at return_reason',
  },
  rail_files: {
    erasedElsewhere: { content: '`cleanUpRail`, when the last payment of the file has ended' },
    notPersonal:
      'id direction name format message_id counterparty sha256 lines cents state reason made_at done_at',
  },
  rail_incoming: {
    erasedElsewhere: { party_name: untilApplied, text: untilApplied, original: untilApplied },
    kept: { account_number: books, bank_name: books },
    notPersonal: 'id file_id line kind amount currency keys code ref outcome transaction_id',
  },
  rail_outgoing: { notPersonal: 'id transaction_id answer_to code counterparty due_at file_id line key' },
  rail_exceptions: {
    kept: { assigned_to: administrator, resolved_by: administrator, note: whyActed },
    notPersonal: 'id incoming_id reason at resolved_at',
  },
  search_texts: {
    erasedElsewhere: {
      texts: 'the trigger `refresh_search_texts`, with the name of an account at another bank',
    },
    notPersonal: 'type first last',
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
    deleted: 'customer_id author text at',
    notPersonal: 'id',
  },
  last_logins: { deletedWhere: { customer_id: 'customerId' }, deleted: 'customer_id at' },
  customer_changes: {
    deletedWhere: { customer_id: 'customerId' },
    deleted: 'customer_id author field former value reason at',
    notPersonal: 'id',
  },
  alerts: {
    deletedWhere: { customer_id: 'customerId' },
    deleted: 'customer_id network device transaction_id amount balance note',
    kept: { assigned_to: administrator, closed_by: administrator },
    notPersonal: 'id rule day payments receivers logins at status closed_at',
  },
  guessed_customers: {
    deletedWhere: { customer_id: 'customerId' },
    deleted: 'customer_id',
    notPersonal: 'day alert_id',
  },
  login_guesses: {
    deletedWhere: { person_id: 'customerId' },
    deleted: 'person_id network address_key',
    notPersonal: 'at',
  },
  alert_progress: { notPersonal: 'only_row position' },
  notification_preferences: {
    deletedWhere: { account_id: 'accountId' },
    deleted: 'account_id',
    notPersonal: 'kind bell mail',
  },
  summary_mails: {
    deletedWhere: { account_id: 'accountId' },
    deleted: 'account_id',
    notPersonal: 'transaction_id step side is_daily due_at mail_id tries',
  },
  id_requests: {
    deletedWhere: { customer_id: 'customerId' },
    deleted: 'customer_id reason',
    notPersonal: 'at',
  },
  sent_mails: {
    deletedWhere: { person_id: 'customerId' },
    deleted: 'person_id template subject at',
    notPersonal: 'id',
  },
  screening_hits: {
    deletedWhere: { customer_id: 'customerId' },
    deleted: 'customer_id entry_id match_hash listed_name date_of_birth program score reason',
    kept: { decided_by: administrator },
    notPersonal: 'id found_at state decided_at',
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
    deleted: 'customer_id email',
    notPersonal: 'request_id',
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
  },
  app_secrets: { notPersonal: 'key_id first_used_at released_at' },
  seal_keys: { notPersonal: 'from_position key_id wrapped' },
  bank_state: { notPersonal: 'only_row bank_id held_since restored_at verified_at' },
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
