/**
 * Replays audit records in order. Each record must match the rows of the books that it reports, and follow from the records
 * before it. Its seal must cover the record and these rows. Apart from the accounts, memory use is constant.
 */
import type { KeyObject } from 'node:crypto';
import { nilId } from '../base/uuid.ts';
import type { AuditHead } from '../db/audit.ts';
import { type EvidenceRow, hashRecord, hasName, hasTag, tagBytes, tagOfName, tagOfRow } from './evidence.ts';
import {
  isArrival,
  isDecision,
  isGoalMovement,
  isOpposite,
  isPayout,
  type Movement,
  readLine,
  readMovement,
} from './recordedMovements.ts';
import type { SealedDay } from './sealedBalances.ts';
import type { SealKeys } from './sealKeys.ts';
import { clearing, isCustomer, treasury, unclaimed } from './systemAccounts.ts';
import { type Accounts, copyFigures, type Fault, type Figures } from './verifiedAccounts.ts';

export type ReplayCounts = {
  records: number;
  unsealed: number;
  transactions: number;
  entries: number;
  externals: number;
  goalMovements: number;
  /** Counts only the rows of transactions whose ids are greater than every id of the sealed day. */
  since: { transactions: number; entries: number; externals: number; goalMovements: number };
};

/** By day, type and status: the number of transactions, and their total in cents. */
export type DayTotals = Map<string, { count: bigint; cents: bigint }>;

export type Replay = {
  record: (rows: EvidenceRow[]) => void;
  /** Reports what can only be known after the last record. */
  finish: () => void;
  /** The position and the hash of the last seal. */
  head: () => AuditHead;
  /** The ranges of positions whose seals belong to no record, or are missing. */
  gaps: { from: bigint; to: bigint }[];
  counts: ReplayCounts;
  firstUnsealed: () => bigint | undefined;
  totals: DayTotals;
  /** The end of the sealed records, and the figures of the accounts there. */
  sealed: () => { day: SealedDay; figures: Figures };
};

const maxListed = 100;

export function openReplay(
  accounts: Accounts,
  fault: Fault,
  { keys, noted }: { keys: SealKeys | undefined; noted: readonly AuditHead[] },
  since?: SealedDay,
): Replay {
  const { followed } = accounts;
  const counts: ReplayCounts = {
    records: 0,
    unsealed: 0,
    transactions: 0,
    entries: 0,
    externals: 0,
    goalMovements: 0,
    since: { transactions: 0, entries: 0, externals: 0, goalMovements: 0 },
  };
  const totals: DayTotals = new Map();
  const gaps: Replay['gaps'] = [];
  let position = since?.position ?? 0n;
  let auditId = since?.auditId ?? 0n;
  let hash = since?.hash ?? Buffer.alloc(32);
  let lastTransaction = since?.lastTransaction ?? nilId;
  let lastSealed = { lastTransaction, figures: followed };
  let genuineSeals = 0;
  /** How many seals could not be verified because their key is unknown, and the position of the first. */
  let [unverified, firstUnverified] = [0, 0n];
  /** The ids of the records after the last sealed record, at most `maxListed`. */
  let unsealed: bigint[] = [];
  const expectedHeads = new Map(noted.map(head => [head.position, head.hash]));
  /** By how much each balance and sequence number last differed from the replay. A difference that stays is reported once. */
  const differences = new Map<string, bigint>();

  const sinceHead = since && expectedHeads.get(since.position);
  if (sinceHead !== undefined && sinceHead !== hash.toString('hex'))
    fault(
      'the audit chain is unbroken',
      `record ${auditId}: the chain up to here is not the one that was noted`,
    );

  const chainFault = (id: bigint, why: string) =>
    fault('the audit chain is unbroken', `record ${id}: ${why}`);

  function record(rows: EvidenceRow[]): void {
    const first = rows[0]!;
    counts.records++;
    if (first.position === null) {
      if (unsealed.length === 0) lastSealed = { lastTransaction, figures: copyFigures(followed) };
      counts.unsealed++;
      if (unsealed.length < maxListed) unsealed.push(first.id);
    } else {
      checkSeal(rows, first, first.position);
    }
    for (const [index, row] of rows.entries()) {
      if (row.n === null) continue;
      if (row.n !== BigInt(index + 1)) {
        fault('every row of the books exists once', `transaction ${row.reported}`);
        continue;
      }
      if (first.action === 'deposit.received') checkArrival(row, first);
      else if (first.action === 'goal.moved') checkGoalMovement(row, first);
      else if (row.step === 2) checkDecision(row, first);
      else checkPosting(row, first);
    }
  }

  function checkSeal(rows: EvidenceRow[], first: EvidenceRow, at: bigint): void {
    for (const id of unsealed) chainFault(id, 'it has no seal, although later records have one');
    counts.unsealed = 0;
    unsealed = [];
    const previous = hash;
    const follows = at === position + 1n;
    if (at <= position) chainFault(first.id, 'its seal is out of order');
    else if (!follows) gaps.push({ from: position + 1n, to: at - 1n });
    position = at;
    auditId = first.id;
    hash = first.hash!;
    const wanted = expectedHeads.get(at);
    if (wanted !== undefined && wanted !== hash.toString('hex'))
      chainFault(first.id, 'the chain up to here is not the one that was noted');
    if (!keys) return;
    const key = keys(at);
    if (!key) {
      if (unverified === 0) firstUnverified = at;
      unverified++;
      return;
    }
    const evidence = first.evidence!;
    // After a gap the previous hash is unknown; the gap itself is reported.
    if (follows) {
      if (hashRecord(key, previous, evidence, first).equals(hash)) genuineSeals++;
      else chainFault(first.id, 'the record or its seal was changed');
    }
    checkEvidence(key, rows, evidence);
  }

  function checkEvidence(using: KeyObject, rows: EvidenceRow[], evidence: Buffer): void {
    let offset = 0;
    const nextTag = () => {
      const next = evidence.subarray(offset, offset + tagBytes);
      offset += tagBytes;
      return next;
    };
    for (const row of rows.filter(hasTag)) {
      // A missing row is reported where the posting is checked.
      if (tagOfRow(using, row).equals(nextTag()) || (row.n !== null && row.t_id === null)) continue;
      if (row.n === null)
        fault('every customer has the account that they registered with', `customer ${row.subject}`);
      else
        fault(
          'every transaction and entry is as it was sealed',
          `transaction ${row.reported}, step ${row.step}`,
        );
    }
    for (const row of rows.filter(hasName)) {
      if (tagOfName(using, row).equals(nextTag()) || isErased(row)) continue;
      fault('every payment names the account that it was sealed with', `transaction ${row.reported}`);
    }
  }

  /** An account name may be missing only if the customer's account is closed. */
  function isErased(row: EvidenceRow): boolean {
    return (
      row.x_account_name === '' &&
      row.x_name_salt === null &&
      accounts.isClosed(accounts.indexOf(row.t_sender ?? row.t_receiver ?? ''))
    );
  }

  function checkPosting(row: EvidenceRow, first: EvidenceRow): void {
    const isSweep = first.action === 'balance.swept';
    const isReversal = first.action === 'transaction.reversed';
    const isClaim = first.action === 'unclaimed.paid';
    const reported = isSweep || isReversal || isClaim ? readMovement(row, first) : readLine(row);
    if (!reported) {
      fault('every audit record reports transactions of the books', `record ${first.id}, its line ${row.n}`);
      return;
    }
    const { debit, credit, cents, actor } = reported;
    const { t_id, t_type, t_amount, t_sender, t_receiver, e_kind, e_debit, e_credit, e_amount } = row;
    const name = `transaction ${row.reported}`;
    if (t_id === null) {
      fault('every audit record reports transactions of the books', `record ${first.id} reports ${name}`);
    } else {
      countRow('transactions', t_id);
      if (t_id > lastTransaction) lastTransaction = t_id;
      const isExternal = t_type === 'external-transfer';
      if (isExternal && row.x_status === null)
        fault('every external transfer has its details, and no other transaction has', name);
      if (isExternal && row.x_status !== null) countRow('externals', t_id);
      addToTotal(`${row.t_day} ${t_type} ${row.x_status ?? 'completed'}`, BigInt(t_amount!));
      if (e_kind !== null) countRow('entries', t_id);
      const parties = isSweep
        ? ['transfer', debit, null, unclaimed]
        : {
            transfer: ['transfer', debit, credit, credit],
            'admin-credit': ['admin-credit', null, credit, credit],
            deposit: ['deposit', null, credit, credit],
            'external-transfer': ['external-transfer', isClaim ? null : debit, null, clearing],
            reversal: ['reversal', debit, isCustomer(credit) ? credit : null, credit],
          }[t_type!];
      const origin = isClaim
        ? unclaimed
        : t_type === 'admin-credit'
          ? treasury
          : t_type === 'deposit'
            ? clearing
            : t_sender;
      const hasEntry =
        e_kind === (isSweep ? 'sweep' : 'post') &&
        e_amount === t_amount &&
        parties !== undefined &&
        parties[1] === t_sender &&
        parties[2] === t_receiver &&
        parties[3] === e_credit &&
        e_debit === origin;
      if (isReversal !== (t_type === 'reversal') || (isReversal && !isOpposite(row, reported)))
        fault('every reversal is the opposite of one credit or transfer, and is recorded as one', name);
      if (isClaim && !isPayout(row, reported))
        fault('every payout of unclaimed money pays out one unclaimed balance, in full', name);
      if (!hasEntry) fault('every transaction has its posting entry, with its own amount and parties', name);
      const isAsReported =
        row.t_actor === actor &&
        e_debit === debit &&
        e_credit === credit &&
        e_amount === cents &&
        (isSweep || (row.t_created_at === first.at && row.e_posted_at === first.at));
      if (!isAsReported && hasEntry)
        fault('every transaction is as its audit record says', `${name}, record ${first.id}`);
    }
    move(row, { debit, credit, cents: BigInt(cents) });
    const amount = BigInt(cents);
    for (const [account, seq, counter] of [
      [debit, row.t_sender_seq, followed.sent],
      [credit, row.t_receiver_seq, followed.received],
    ] as const) {
      const index = isCustomer(account) ? accounts.indexOf(account) : -1;
      if (index < 0) continue;
      counter[index]! += amount;
      const expected = ++followed.entries[index]!;
      if (seq !== null)
        compare(`${account} seq`, BigInt(seq) - expected, () => {
          fault(
            'every account numbers its transactions without gaps, and its sent and received counters are right',
            `${name} is number ${seq} of account ${account}, not ${expected}`,
          );
        });
      if (isSweep) accounts.sweep(index, expected);
    }
  }

  /** Checks a record that reports one movement. Reports missing rows as a fault; `check` gets the id of rows that exist. */
  function checkSingle(
    row: EvidenceRow,
    first: EvidenceRow,
    what: string,
    check: (reported: Movement, id: string) => void,
  ): void {
    const reported = readMovement(row, first);
    if (!reported || row.e_kind === null || row.t_id === null) {
      fault('every audit record reports transactions of the books', `record ${first.id} reports ${what}`);
    } else {
      countRow('entries', row.t_id);
      check(reported, row.t_id);
    }
    if (reported) move(row, { ...reported, cents: BigInt(reported.cents) });
  }

  function checkDecision(row: EvidenceRow, first: EvidenceRow): void {
    const name = `external transfer ${row.reported}`;
    checkSingle(row, first, `the end of ${name}`, reported => {
      const isCancel = first.action === 'external.canceled';
      const isReturn = isCancel || first.action === 'external.returned';
      if (isCancel && row.x_submitted_at !== null)
        fault('every canceled payment was taken back before it was submitted', name);
      if (!isDecision(row, first, reported))
        fault('every external transfer ended as its audit record says', `${name}, record ${first.id}`);
      const sender = isReturn ? accounts.indexOf(row.t_sender ?? '') : -1;
      if (sender >= 0) followed.sent[sender]! -= BigInt(reported.cents);
    });
  }

  /** Checks the arrival of a deposit's money in clearing. The next record pays it from there to the customer. */
  function checkArrival(row: EvidenceRow, first: EvidenceRow): void {
    const name = `deposit ${row.reported}`;
    checkSingle(row, first, `the arrival of ${name}`, reported => {
      if (!isArrival(row, first, reported))
        fault('every deposit arrived as its audit record says', `${name}, record ${first.id}`);
    });
  }

  /** Checks a movement between an account and one of its savings goals. No counter includes such movements. */
  function checkGoalMovement(row: EvidenceRow, first: EvidenceRow): void {
    const name = `goal movement ${row.reported}`;
    checkSingle(row, first, name, (reported, id) => {
      countRow('goalMovements', id);
      if (id > lastTransaction) lastTransaction = id;
      if (!isGoalMovement(row, first, reported))
        fault('every movement of a savings goal is as its audit record says', `${name}, record ${first.id}`);
      const index = accounts.indexOf(row.t_sender!);
      if (index >= 0 && BigInt(row.t_sender_seq!) !== followed.entries[index])
        fault('every movement of a savings goal is in its place among the transactions', name);
    });
  }

  /** Adds a movement to the replayed balances and compares them with the running balances of its entry. */
  function move(
    row: EvidenceRow,
    { debit, credit, cents }: { debit: string; credit: string; cents: bigint },
  ): void {
    for (const [account, change, balance] of [
      [debit, -cents, row.e_debit_balance],
      [credit, cents, row.e_credit_balance],
    ] as const) {
      const index = accounts.indexOf(account);
      if (index < 0) {
        fault(
          'every entry belongs to known accounts',
          `entry ${row.reported} step ${row.step}: account ${account}`,
        );
        continue;
      }
      followed.balance[index]! += change;
      const expected = followed.balance[index]!;
      if (balance !== null)
        compare(account, BigInt(balance) - expected, () => {
          fault(
            'every running balance follows from the one before',
            `entry ${row.reported} step ${row.step} leaves account ${account} at ${balance} cents, but its postings sum to ${expected}`,
          );
        });
    }
  }

  /** Reports a difference unless the account's previous row had the same one. */
  function compare(what: string, difference: bigint, report: () => void): void {
    if (difference === 0n) {
      if (differences.size > 0) differences.delete(what);
      return;
    }
    if (differences.get(what) === difference) return;
    differences.set(what, difference);
    report();
  }

  function countRow(table: keyof ReplayCounts['since'], id: string): void {
    counts[table]++;
    if (since && id > since.lastTransaction) counts.since[table]++;
  }

  function addToTotal(key: string, cents: bigint): void {
    const total = totals.get(key);
    if (total) {
      total.count++;
      total.cents += cents;
    } else {
      totals.set(key, { count: 1n, cents });
    }
  }

  return {
    record,
    finish() {
      for (const head of noted) {
        if (head.position > position)
          chainFault(0n, `the chain ends at ${position}, but ${head.position} records had been sealed`);
      }
      if (unverified > 0 && genuineSeals > 0)
        fault(
          'every seal can be verified with the given secrets',
          `the secret of ${unverified} seals from position ${firstUnverified} on is missing`,
        );
      if (counts.records > counts.unsealed && genuineSeals === 0 && keys)
        fault('the seals were made with this APP_SECRET', 'no seal matches');
      if (unsealed.length === 0) lastSealed = { lastTransaction, figures: followed };
    },
    head: () => ({ position, hash: hash.toString('hex') }),
    gaps,
    counts,
    firstUnsealed: () => unsealed[0],
    totals,
    sealed: () => ({
      day: { position, auditId, hash, lastTransaction: lastSealed.lastTransaction },
      figures: lastSealed.figures,
    }),
  };
}
