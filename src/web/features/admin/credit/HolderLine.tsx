/** Under the account number of a credit: the hint, the waiting, the holder with what stands in the way, or no answer. */
import * as appMessages from '#contract/messages/app.ts';
import * as transferMessages from '#contract/messages/transfer.ts';
import { Avatar } from '#web/ui/Avatar.tsx';
import { Badge } from '#web/ui/Badge.tsx';
import { Spinner } from '#web/ui/Spinner.tsx';
import { words } from '../words.ts';
import type { Holder } from './holder.ts';
import './HolderLine.css';

export type HolderLineProps = { holder: Holder; onAgain: () => void };

export function HolderLine({ holder, onAgain }: HolderLineProps) {
  if (holder.state === 'found') return <Found {...holder} />;
  return (
    <div className="HolderLine">
      {holder.state === 'incomplete' && words.accountNumberHint}
      {holder.state === 'asking' && (
        <>
          <Spinner />
          {transferMessages.verifying}
        </>
      )}
      {holder.state === 'unanswered' && (
        <>
          {holder.message}
          <button type="button" className="link" onClick={onAgain}>
            {appMessages.tryAgain}
          </button>
        </>
      )}
    </div>
  );
}

function Found({ name, isApproved, isFrozen }: Extract<Holder, { state: 'found' }>) {
  const [firstName = '', ...others] = name.split(' ');
  return (
    <div className="HolderLine HolderLine--found">
      <Avatar size="s" decorative firstName={firstName} lastName={others.at(-1) ?? ''} />
      <div>
        <b>{name}</b>
        {!isApproved && <Badge kind="pending">{words.pendingApproval}</Badge>}
        {isFrozen && <Badge kind="frozen">{words.frozen}</Badge>}
        <span>{!isApproved ? words.holderPending : isFrozen ? words.holderFrozen : words.holderFound}</span>
      </div>
    </div>
  );
}
