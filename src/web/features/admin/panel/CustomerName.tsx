/** A customer in a table: picture or initials and the name. The name is truncated in a column and shown in full on a card. */
import { nameOf } from '#web/bank/transactionReading.ts';
import { Person } from '#web/ui/Person.tsx';
import './CustomerName.css';

export type CustomerNameProps = {
  firstName: string;
  lastName: string;
  src?: string | undefined;
  /** For tables with few columns, which leave more space for names. */
  roomy?: boolean;
};

export function CustomerName({ firstName, lastName, src, roomy }: CustomerNameProps) {
  return (
    <span title={nameOf({ firstName, lastName })}>
      <Person
        firstName={firstName}
        lastName={lastName}
        src={src || undefined}
        className={roomy ? 'CustomerName CustomerName--roomy' : 'CustomerName'}
      />
    </span>
  );
}
