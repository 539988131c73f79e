/** Reads which movement of money an audit record reports. */
import type { EvidenceRow } from './evidence.ts';

type Movement = {
  actor: string | null;
  debit: string;
  credit: string;
  cents: string;
  reason: string | null;
  reverses: string | null;
  claims: string | null;
};

/** Whether a reversal moves the amount of the transaction that its record names back between the same accounts. */
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
  return row.u_source !== null && row.u_source === claims && row.u_amount === cents && debit === '3';
}

/** What the line of a posting says; undefined if it is not one. */
export function readLine({ line, reported }: EvidenceRow): Movement | undefined {
  const [id, actor, debit, credit, cents] = (line ?? '').split(' ');
  if (id !== reported || !isNumber(debit) || !isNumber(credit) || !isNumber(cents)) return undefined;
  return { actor: actor!, debit, credit, cents, reason: null, reverses: null, claims: null };
}

/** What the data of a record about a single movement says; undefined if it says nothing of the kind. */
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
