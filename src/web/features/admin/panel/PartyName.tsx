/**
 * A transaction's sender or receiver in a table: at most two lines in a column with the full name as tooltip, shown in full
 * on a card.
 */
import './PartyName.css';

export function PartyName({ name }: { name: string }) {
  return (
    <span title={name} className="PartyName">
      {name}
    </span>
  );
}
