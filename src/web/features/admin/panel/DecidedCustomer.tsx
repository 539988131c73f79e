/** The customer's name, which links to the customer's page, followed by the decision. */
import { Link } from '#web/router/Link.tsx';
import { customerPageAddress } from './viewAddress.ts';

export type DecidedCustomerProps = {
  /** Undefined if the customer is erased. */
  id: string | undefined;
  name: string;
  /** The bank's answer. */
  children: string;
};

export const DecidedCustomer = ({ id, name, children }: DecidedCustomerProps) => (
  <>
    {id ? (
      <Link className="link" to={customerPageAddress(id)}>
        {name}
      </Link>
    ) : (
      name
    )}
    : {children}
  </>
);
