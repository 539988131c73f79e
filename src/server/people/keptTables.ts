/** The tables whose rows stay when a customer is erased, and what happens to each of their columns: see `personalData.ts`. */
import { books, evidence, whyActed } from './jsonErasure.ts';
import type { PersonalTable } from './personalData.ts';

const administrator = 'describes an administrator, whose record stays';
const untilApplied = '`applyLines`, `updateRailException` or `cleanUpRail`, when it is no longer needed';
const listedPerson = 'published by an authority about listed people, and replaced with the next list';
const employee = 'an employee of the bank';
const internal = 'a key of the database';

export const keptTables: Readonly<Record<string, PersonalTable>> = {
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
    notPersonal: 'email_proven_at reset_unproven_at created_at deleted_at erased_at',
    foundBy: { id: 'customerId' },
    file: 'profile.json',
    about: 'your name, contact details and identity',
    copied:
      'id first_name middle_name last_name gender address region zip_code city date_of_birth email phone_number is_verified is_date_of_birth_verified terms_version terms_accepted_at email_proven_at reset_unproven_at created_at id_card_at',
    days: 'date_of_birth',
    leftOut: {
      avatar_file: 'the picture itself is in the copy',
      id_card_file: 'the picture itself is in the copy',
      account_id: internal,
      deleted_at: 'empty while the account is open',
      erased_at: 'empty while the account is open',
    },
  },
  used_challenges: { notPersonal: 'challenge expires_at' },
  pushes: { notPersonal: 'device_id notification_id tries due_at' },
  contact_answers: {
    erasedElsewhere: { text: 'its foreign key, together with the message' },
    kept: { author: administrator },
    notPersonal: 'id message_id at',
    file: 'message-answers.json',
    about: 'our answers to your messages',
    copied: 'id message_id text at',
    // A customer who is logged in can type someone else's email, whose owner gets the answer.
    copiedIf: `EXISTS (SELECT FROM contact_messages m LEFT JOIN customers c ON c.id = m.customer_id
                        WHERE m.id = message_id AND (NOT m.is_logged_in OR c.email = m.email))`,
    leftOut: { author: employee },
    partOf: { column: 'message_id', table: 'contact_messages' },
  },
  address_attempts: {
    kept: { address_key: 'a keyed hash that only the server can compute, deleted after a day' },
    notPersonal: 'unknown_attempts codes_requested_at touched_at',
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
      out_day: books,
      out_base: books,
    },
    notPersonal:
      'kind is_approved frozen_by_bank frozen_by_owner is_frozen is_closed opened_at step_up_from daily_out',
    foundBy: { id: 'accountId' },
    file: 'account.json',
    about: 'your account',
    copied:
      'number balance entry_count sent received is_approved is_frozen frozen_by_bank frozen_by_owner step_up_from daily_out opened_at',
    cents: 'balance sent received step_up_from daily_out',
    leftOut: {
      id: internal,
      owner: internal,
      kind: internal,
      out_day: internal,
      out_base: internal,
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
    erasedElsewhere: {
      content:
        '`cleanUpRail`, when the last payment of the file has ended; of answers to another bank after 30 days',
    },
    notPersonal:
      'id direction name format message_id counterparty sha256 lines cents currency state reason made_at done_at',
    leftOut: 'the files between banks, with the payments of many customers',
  },
  rail_incoming: {
    erasedElsewhere: { party_name: untilApplied, text: untilApplied, original: untilApplied },
    kept: { account_number: books, bank_name: books },
    notPersonal: 'id file_id line kind amount currency keys code ref outcome transaction_id',
    leftOut: 'messages between banks; what they did is in the transactions',
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
    about: 'the balances and totals of your monthly statements',
    copied: 'month opening closing money_in money_out count made_at',
    cents: 'opening closing money_in money_out',
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
  alert_progress: { notPersonal: 'only_row position' },
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
