/** A person in a row: picture, name, a second line. Long names end in an ellipsis. */
import type { ReactNode } from 'react';
import { Avatar } from './Avatar.tsx';
import { classNames } from './classNames.ts';
import './Person.css';

export type PersonProps = {
  src?: string | undefined;
  firstName: string;
  lastName: string;
  detail?: ReactNode;
  className?: string | undefined;
};

export function Person({ src, firstName, lastName, detail, className }: PersonProps) {
  return (
    <div className={classNames('Person', className)}>
      <Avatar src={src} firstName={firstName} lastName={lastName} decorative />
      <div>
        <b>
          {firstName} {lastName}
        </b>
        {detail && <span>{detail}</span>}
      </div>
    </div>
  );
}
