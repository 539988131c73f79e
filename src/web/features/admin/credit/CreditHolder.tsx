/** The holder of the account to credit, and whether the account is pending or frozen. */
import { Badge } from '#web/ui/Badge.tsx';
import { words } from '../words.ts';
import './CreditHolder.css';

export type CreditHolderProps = { accountName: string; isApproved: boolean; isFrozen: boolean };

export function CreditHolder({ accountName, isApproved, isFrozen }: CreditHolderProps) {
  return (
    <div className="CreditHolder">
      <b>{accountName}</b>
      {!isApproved && <Badge kind="pending">{words.pendingApproval}</Badge>}
      {isFrozen && <Badge kind="frozen">{words.frozen}</Badge>}
      <span className="CreditHolder-note">
        {!isApproved ? words.holderPending : isFrozen ? words.holderFrozen : words.holderFound}
      </span>
    </div>
  );
}
