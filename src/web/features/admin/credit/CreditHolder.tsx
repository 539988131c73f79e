/** The holder of an account that is about to be credited, with what stands in the way. */
import { Badge } from '#web/ui/Badge.tsx';
import { words } from '../words.ts';

export type CreditHolderProps = { accountName: string; isApproved: boolean; isFrozen: boolean };

export function CreditHolder({ accountName, isApproved, isFrozen }: CreditHolderProps) {
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-0.5">
      <b>{accountName}</b>
      {!isApproved && <Badge kind="pending">{words.pendingApproval}</Badge>}
      {isFrozen && <Badge kind="frozen">{words.frozen}</Badge>}
      <span className="w-full">
        {!isApproved ? words.holderPending : isFrozen ? words.holderFrozen : words.holderFound}
      </span>
    </div>
  );
}
