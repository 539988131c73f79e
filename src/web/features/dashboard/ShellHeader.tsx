/**
 * The header: the greeting (large on the overview, where it is the page's title), the account's status unless the bank
 * asks for an ID document, the bell, the picture.
 */

import * as dashboardMessages from '#contract/messages/dashboard.ts';
import { fill } from '#contract/messages/fill.ts';
import type { SessionCustomer } from '#web/base/session.ts';
import { Avatar } from '#web/ui/Avatar.tsx';
import { Badge } from '#web/ui/Badge.tsx';
import { classNames } from '#web/ui/classNames.ts';
import { NotificationBell } from './NotificationBell.tsx';
import './ShellHeader.css';

export type ShellHeaderProps = {
  customer: SessionCustomer;
  approved: boolean;
  /** Undefined until it is known: then the badge keeps its place and is not shown. */
  isIdRequested: boolean | undefined;
  atHome: boolean;
};

export function ShellHeader({ customer, approved, isIdRequested, atHome }: ShellHeaderProps) {
  const { firstName, lastName, avatar } = customer;
  const Title = atHome ? 'h1' : 'p';
  return (
    <div className={classNames('ShellHeader wrap', !atHome && 'ShellHeader--quiet')}>
      <div className="ShellHeader-who">
        <Title className="ShellHeader-title">{fill(dashboardMessages.welcome, { firstName })}</Title>
        {approved ? (
          // Not above a banner that asks for an ID document.
          !isIdRequested && (
            <span
              className={classNames(
                'ShellHeader-status',
                isIdRequested === undefined && 'ShellHeader-status--unknown',
              )}
            >
              <Badge kind="verified">{dashboardMessages.verified}</Badge>
            </span>
          )
        ) : (
          <Badge kind="pending">{dashboardMessages.pendingTag}</Badge>
        )}
      </div>
      <div className="ShellHeader-end">
        <NotificationBell />
        <Avatar src={avatar.url} firstName={firstName} lastName={lastName} />
      </div>
    </div>
  );
}
