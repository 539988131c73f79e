/** Reads which movement of money an audit record reports, and compares it with the rows of the books. */
import type { EvidenceRow } from './evidence.ts';
import { clearing, treasury, unclaimed } from './systemAccounts.ts';

export type Movement = {
  actor: string | null;
  debit: string;
  credit: string;
  cents: string;
  reason: string | null;
  reverses: string | null;
  claims: string | null;
};

/** Whether a reversal moves the same amount back between the accounts of the transaction that its record names. */
export function isOpposite(row: EvidenceRow, { debit, credit, cents, reverses }: Movement): boolean {
  return (
    row.r_original !== null &&
    row.r_original === reverses &&
    (row.r_type === 'admin-credit' || row.r_type === 'transfer') &&
    row.r_debit === credit &&
    row.r_credit === debit &&
    row.r_amount === cents
  );
}

/** Whether a payout pays the whole unclaimed balance that its record names. */
export function isPayout(row: EvidenceRow, { debit, cents, claims }: Movement): boolean {
  return row.u_source !== null && row.u_source === claims && row.u_amount === cents && debit === unclaimed;
}

/** Whether an external transfer ended as its record says. */
export function isDecision(row: EvidenceRow, first: EvidenceRow, reported: Movement): boolean {
  const isReturn = first.action === 'external.canceled' || first.action === 'external.returned';
  return (
    row.e_kind === (isReturn ? 'return' : 'settle') &&
    row.e_debit === clearing &&
    row.e_debit === reported.debit &&
    row.e_credit === reported.credit &&
    (isReturn ? row.e_credit === unclaimed || row.e_credit === row.t_sender : row.e_credit === treasury) &&
    row.e_amount === reported.cents &&
    row.e_amount === row.t_amount &&
    row.x_status === (isReturn ? 'failed' : 'completed') &&
    row.e_posted_at === first.at &&
    row.x_decided_at === first.at &&
    row.x_return_reason === (isReturn ? reported.reason : null)
  );
}

/** Whether a deposit's money arrived in clearing as its record says. */
export function isArrival(row: EvidenceRow, first: EvidenceRow, reported: Movement): boolean {
  return (
    row.t_type === 'deposit' &&
    row.e_kind === 'receive' &&
    row.e_debit === treasury &&
    row.e_debit === reported.debit &&
    row.e_credit === clearing &&
    row.e_credit === reported.credit &&
    row.e_amount === reported.cents &&
    row.e_amount === row.t_amount &&
    row.e_posted_at === first.at
  );
}

/** Whether money moved between an account and its savings goal as the record says. */
export function isGoalMovement(row: EvidenceRow, first: EvidenceRow, reported: Movement): boolean {
  const amount = BigInt(row.t_amount!);
  const [debit, credit] = amount > 0n ? [row.t_sender, row.t_receiver] : [row.t_receiver, row.t_sender];
  return (
    row.t_type === 'goal' &&
    row.e_kind === 'goal' &&
    row.e_debit === debit &&
    row.e_debit === reported.debit &&
    row.e_credit === credit &&
    row.e_credit === reported.credit &&
    row.e_amount === String(amount < 0n ? -amount : amount) &&
    row.e_amount === reported.cents &&
    row.t_actor === reported.actor &&
    row.t_created_at === first.at &&
    row.e_posted_at === first.at
  );
}

/** The movement that a record's line about a posting describes; undefined if the line is not valid. */
export function readLine({ line, reported }: EvidenceRow): Movement | undefined {
  const [id, actor, debit, credit, cents] = (line ?? '').split(' ');
  if (id !== reported || !isNumber(debit) || !isNumber(credit) || !isNumber(cents)) return undefined;
  return { actor: actor!, debit, credit, cents, reason: null, reverses: null, claims: null };
}

/** The movement that a record about a single movement describes; undefined if its data is not valid. */
export function readMovement(
  { reported }: EvidenceRow,
  { data, actor_id }: EvidenceRow,
): Movement | undefined {
  const {
    debit,
    credit,
    cents,
    reason = null,
    reverses = null,
    claims = null,
  } = JSON.parse(data ?? '{}') ?? {};
  if (reported === null || ![debit, credit, cents].every(value => isNumber(String(value)))) return undefined;
  return {
    actor: actor_id,
    debit: String(debit),
    credit: String(credit),
    cents: String(cents),
    reason,
    reverses,
    claims,
  };
}

const isNumber = (text: string | undefined): text is string => text !== undefined && /^\d{1,18}$/.test(text);
