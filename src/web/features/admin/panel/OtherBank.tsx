/** The bank and account number of an external transfer; a dash for every other transaction. */
import type { Transaction } from '#contract/entities.ts';
import { otherBankOf } from '../transactions/transactionSides.ts';
import { words } from '../words.ts';
import './OtherBank.css';

export function OtherBank({ transaction }: { transaction: Transaction }) {
  const other = otherBankOf(transaction);
  if (!other) return <span className="OtherBank-none">{words.noBankDetails}</span>;
  return (
    <span className="OtherBank">
      {other.bankName} <span>{other.accountNumber}</span>
    </span>
  );
}
