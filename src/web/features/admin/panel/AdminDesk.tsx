/**
 * Sidebar and view side by side; on smaller screens the sidebar is a drawer. The URL names the open view, so that reload and
 * the browser's Back button keep it. When the panel opens, it loads the data for the counts of the sidebar and for the first
 * view.
 */
import { type FunctionComponent, lazy, Suspense, useEffect, useEffectEvent, useRef, useState } from 'react';
import { everyRole } from '#contract/roles.ts';
import { selectAdmin } from '#web/base/session.ts';
import { stayOnPage } from '#web/base/stayOnPage.ts';
import { useAppSelector } from '#web/base/store.ts';
import { useSearchParams } from '#web/router/hooks.ts';
import { IconButton } from '#web/ui/IconButton.tsx';
import { useAdminAppQuery } from '../account/factorsCalls.ts';
import { adminSlice } from '../adminSlice.ts';
import { words } from '../words.ts';
import { AdminDrawer } from './AdminDrawer.tsx';
import { AdminSidebar } from './AdminSidebar.tsx';
import { accountKey, viewByKey } from './adminViews.ts';
import { LoadingView, NotYourRoleView } from './NotYourRoleView.tsx';
import { useListKeys } from './useListKeys.ts';
import { usePanelOpening } from './usePanelOpening.ts';
import { useMay, useRole } from './useRole.ts';
import { type ViewProps, viewTitleId } from './ViewHead.tsx';
import { viewAddress } from './viewAddress.ts';
import './AdminDesk.css';

const loadCommands = () => import('./CommandList.tsx');
const CommandList = lazy(async () => ({ default: (await loadCommands()).CommandList }));

export function AdminDesk({ adminName }: { adminName: string }) {
  const [address, setAddress] = useSearchParams();
  const { data: app } = useAdminAppQuery();
  // If the bank requires a second factor, nothing else opens until one is set up.
  const mustEnroll = app?.mustEnroll ?? false;
  const view = viewByKey(mustEnroll ? accountKey : address.get('view'));
  const waiting = usePanelOpening();
  const role = useRole();
  const may = useMay();
  // After a reload, the role is loaded first. Until then, a view that some roles may not open makes no call.
  const isForAll = everyRole.every(one => view.call.roles?.includes(one) ?? true);
  const View: FunctionComponent<ViewProps & { title: string }> =
    isForAll || may(view.call) ? view.View : role === undefined ? LoadingView : NotYourRoleView;
  const [drawerOpen, setDrawerOpen] = useState(false);
  const [commands, setCommands] = useState<'never' | 'open' | 'closed'>('never');
  const shown = useRef(view.key);

  useEffect(() => {
    if (shown.current === view.key) return;
    shown.current = view.key;
    // The router scrolls: to the top, or after Back to where the list was.
    document.getElementById(viewTitleId)?.focus({ preventScroll: true });
  }, [view.key]);

  // Put the account view into the URL, so that it stays open after the app is set up, and shows the recovery codes.
  const isElsewhere = mustEnroll && address.get('view') !== accountKey;
  useEffect(() => {
    if (isElsewhere) setAddress(viewAddress(accountKey).search, { replace: true });
  }, [isElsewhere, setAddress]);

  // Load and mount the list of commands before it is opened. Otherwise, text typed right after Ctrl+K would be lost while the
  // list loads, and React would show a placeholder for at least 300 ms.
  useEffect(() => {
    const mount = () => setCommands(now => (now === 'never' ? 'closed' : now));
    loadCommands().then(mount, () => {});
  }, []);

  // Closing the tab would lose the idempotency key of a credit whose result is unknown, so the browser asks first.
  const own = useAppSelector(selectAdmin)?._id;
  const hasUnknown = useAppSelector(adminSlice.selectors.credit).unknown.some(
    ({ adminId }) => adminId === own,
  );
  useEffect(() => (hasUnknown ? stayOnPage() : undefined), [hasUnknown]);

  useListKeys();
  const openCommands = useEffectEvent((event: KeyboardEvent) => {
    if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || mustEnroll)
      return;
    event.preventDefault();
    setCommands(now => (now === 'open' ? 'closed' : 'open'));
  });
  useEffect(() => {
    document.addEventListener('keydown', openCommands);
    return () => document.removeEventListener('keydown', openCommands);
  }, []);

  const sidebar = { adminName, current: view.under ?? view.key, waiting };
  return (
    <div className="AdminDesk">
      <AdminSidebar
        {...sidebar}
        className="AdminDesk-side"
        onCommands={mustEnroll ? undefined : () => setCommands('open')}
      />
      <AdminDrawer open={drawerOpen} onClose={() => setDrawerOpen(false)} {...sidebar} />
      <div className="AdminDesk-view">
        <View
          title={view.label}
          menu={
            <>
              <IconButton
                className="AdminDesk-menu"
                icon="menu"
                label={words.openMenu}
                aria-haspopup="dialog"
                onClick={() => setDrawerOpen(true)}
              />
              {!mustEnroll && (
                <IconButton
                  className="AdminDesk-menu"
                  icon="search"
                  label={words.openCommands}
                  aria-haspopup="dialog"
                  onClick={() => setCommands('open')}
                />
              )}
            </>
          }
        />
        {commands !== 'never' && (
          <Suspense fallback={null}>
            <CommandList open={commands === 'open'} waiting={waiting} onClose={() => setCommands('closed')} />
          </Suspense>
        )}
      </div>
    </div>
  );
}
