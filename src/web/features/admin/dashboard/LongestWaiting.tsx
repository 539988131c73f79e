/** The customers who have waited longest for approval, with a link to all of them. */
import { paging } from '#contract/constants.ts';
import * as adminMessages from '#contract/messages/admin.ts';
import { Link } from '#web/router/Link.tsx';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { Person } from '#web/ui/Person.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { useApprovalQueueQuery } from '../adminCalls.ts';
import { ListFailed } from '../panel/ListFailed.tsx';
import { customerPageAddress } from '../panel/viewAddress.ts';
import { words } from '../words.ts';
import { LinkedPanel } from './LinkedPanel.tsx';
import './LongestWaiting.css';

export function LongestWaiting() {
  const { data, error, refetch } = useApprovalQueueQuery();
  return (
    <LinkedPanel title={words.longestWaiting} view="approvals">
      {error && !data ? (
        <ListFailed error={error} onRetry={refetch} />
      ) : !data ? (
        <Skeleton kind="rows" count={3} label={adminMessages.loadingApprovals} />
      ) : data.customers.length === 0 ? (
        <EmptyState title={adminMessages.noApprovals}>{words.noApprovalsText}</EmptyState>
      ) : (
        <ul className="LongestWaiting">
          {data.customers.slice(0, paging.recentTransactions).map(customer => (
            <li key={customer._id}>
              <Link to={customerPageAddress(customer._id)}>
                <Person
                  src={customer.avatar.url || undefined}
                  firstName={customer.firstName}
                  lastName={customer.lastName}
                  detail={customer.email}
                />
              </Link>
            </li>
          ))}
        </ul>
      )}
    </LinkedPanel>
  );
}
