/** Replaces a view with a message that the role may not open it, or with a placeholder until the role is known. */

import * as appMessages from '#contract/messages/app.ts';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { Panel } from '#web/ui/Panel.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { words } from '../words.ts';
import { ViewHead, type ViewProps } from './ViewHead.tsx';

export function NotYourRoleView({ menu }: ViewProps) {
  return (
    <>
      <ViewHead menu={menu} title={words.notAllowed} />
      <Panel>
        <EmptyState title={words.viewNotYourRole} level={2}>
          {words.viewNotYourRoleText}
        </EmptyState>
      </Panel>
    </>
  );
}

export function LoadingView({ menu, title }: ViewProps & { title: string }) {
  return (
    <>
      <ViewHead menu={menu} title={title} />
      <Panel>
        <Skeleton kind="text" count={9} label={appMessages.pleaseWait} />
      </Panel>
    </>
  );
}
