/** A customer in a table: picture or initials and the name, cut off in a column and written out in a card. */
import { nameOf } from '#web/bank/transactionReading.ts';
import { Person } from '#web/ui/Person.tsx';
import './CustomerName.css';

export type CustomerNameProps = {
  firstName: string;
  lastName: string;
  src?: string | undefined;
  /** In a table of few columns, where names have more room. */
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
