/** Who paid or was paid, in a table: at most two lines in a column, with the whole name as tooltip, and written out in a card. */
import './PartyName.css';

export function PartyName({ name }: { name: string }) {
  return (
    <span title={name} className="PartyName">
      {name}
    </span>
  );
}
