/** What was decided about a customer, after the name, which links to the customer's page. */
import { Link } from '#web/router/Link.tsx';
import { customerPageAddress } from '../panel/viewAddress.ts';
import './DecidedCustomer.css';

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
      <Link className="link DecidedCustomer" to={customerPageAddress(id)}>
        {name}
      </Link>
    ) : (
      name
    )}
    : {children}
  </>
);
