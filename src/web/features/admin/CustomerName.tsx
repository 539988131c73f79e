/** A customer in a table: picture or initials and the name, cut off in a column and written out in a card. */
import { Person } from '#web/ui/Person.tsx';

export type CustomerNameProps = { firstName: string; lastName: string; src?: string | undefined };

export function CustomerName({ firstName, lastName, src }: CustomerNameProps) {
  return (
    <span title={`${firstName} ${lastName}`}>
      <Person
        firstName={firstName}
        lastName={lastName}
        src={src || undefined}
        className="max-w-[230px] @max-[900px]:max-w-none @max-[900px]:[&_b]:whitespace-normal"
      />
    </span>
  );
}
