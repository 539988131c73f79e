/** What was decided about a customer, after the name, which links to the customer's page. */
import { Link } from '#web/router/Link.tsx';
import { customerPageAddress } from '../panel/viewAddress.ts';

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
