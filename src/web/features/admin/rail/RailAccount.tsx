/** The account number in a line of a rail file, linked to the customer if it is a customer's. */
import { AccountNumber } from '#web/bank/AccountNumber.tsx';
import { Link } from '#web/router/Link.tsx';
import { customerPageAddress } from '../panel/viewAddress.ts';

export type RailAccountProps = { accountNumber: string; customerId?: string | undefined };

export function RailAccount({ accountNumber, customerId }: RailAccountProps) {
  const number = /^\d{12}$/.test(accountNumber) ? (
    <AccountNumber value={accountNumber} small />
  ) : (
    accountNumber
  );
  return customerId ? (
    <Link className="link num" to={customerPageAddress(customerId)}>
      {number}
    </Link>
  ) : (
    number
  );
}
