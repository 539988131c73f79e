/** Replaces a view that the administrator's role may not open. */
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { Panel } from '#web/ui/Panel.tsx';
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
