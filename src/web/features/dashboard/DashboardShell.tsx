/**
 * The frame of all customer screens. Without a session it redirects to the login, which leads back to the requested screen.
 * It waits for the profile; an unapproved customer sees a notice instead of the banking screens.
 */
import { lazy, Suspense, useCallback, useEffect, useState } from 'react';
import * as authMessages from '#contract/messages/auth.ts';
import { LoadFailed } from '#web/bank/LoadFailed.tsx';
import { errorMessage } from '#web/base/callError.ts';
import { registerServiceWorker } from '#web/base/serviceWorker.ts';
import { endExpiredSessions, type SessionCustomer, selectCustomer } from '#web/base/session.ts';
import { useAppDispatch, useAppSelector } from '#web/base/store.ts';
import { useProfileQuery } from '#web/features/auth/authCalls.ts';
import { useFreezeStateQuery } from '#web/features/settings/limitsCalls.ts';
import { pathOf } from '#web/router/history.ts';
import { useLocation } from '#web/router/hooks.ts';
import { Navigate } from '#web/router/Navigate.tsx';
import { Outlet } from '#web/router/Outlet.tsx';
import { DashboardTabs } from './DashboardTabs.tsx';
import { bankingPath } from './dashboardTabList.ts';
import { FrozenBanner } from './FrozenBanner.tsx';
import { ProfileLoader } from './ProfileLoader.tsx';
import { ShellHeader } from './ShellHeader.tsx';
import { words } from './words.ts';
import './DashboardShell.css';

// Loaded separately: most customers are approved and never need the notice's form.
const PendingNotice = lazy(async () => ({ default: (await import('./PendingNotice.tsx')).PendingNotice }));

export function DashboardShell() {
  const customer = useAppSelector(selectCustomer);
  const dispatch = useAppDispatch();
  const location = useLocation();
  // After a logout the requested screen is not kept: the next login may be another customer's.
  const [cameAsVisitor] = useState(!customer);
  const wanted = cameAsVisitor ? { wanted: pathOf(location) } : undefined;
  useEffect(() => {
    dispatch(endExpiredSessions());
  }, [dispatch]);
  // The key remounts the screens, so that the next customer does not see what the previous one typed.
  return customer ? (
    <Dashboard key={customer._id} customer={customer} />
  ) : (
    <Navigate to="/login" replace state={wanted} />
  );
}

function Dashboard({ customer }: { customer: SessionCustomer }) {
  const { pathname } = useLocation();
  // A live update about an approval or a freeze invalidates the profile, so the change shows without a reload.
  const { data, error, refetch } = useProfileQuery(undefined, { refetchOnFocus: true });
  const freeze = useFreezeStateQuery(undefined, { skip: !data?.isFrozen });
  // The banner names who froze the account. Until that is known, the first view waits, so that nothing changes or moves.
  const isReady = data !== undefined && !freeze.isLoading;
  const [wasReady, setWasReady] = useState(isReady);
  if (isReady && !wasReady) setWasReady(true);
  const failure = error ? errorMessage(error, authMessages.profileFailed) : '';

  useEffect(() => {
    // In development Vite serves the app, and there is no worker.
    if (import.meta.env.PROD) void registerServiceWorker().catch(() => undefined);
  }, []);

  const approved = data?.isApproved ?? customer.isApproved;
  // A customer who is approved while filling in the notice's form keeps the notice until they save or discard the form or leave
  // the page.
  const [editedAt, setEditedAt] = useState<string>();
  const noteEdited = useCallback(
    (isEdited: boolean) => setEditedAt(isEdited ? pathname : undefined),
    [pathname],
  );
  const open = (approved && editedAt !== pathname) || !bankingPath(pathname);
  return (
    <div className="DashboardShell">
      <ShellHeader
        customer={customer}
        approved={approved}
        isIdRequested={data ? data.isIdRequested === true : undefined}
        atHome={approved && pathname === '/dashboard'}
      />
      <DashboardTabs approved={approved} />
      <div className="DashboardShell-page wrap">
        {data?.isFrozen && isReady && <FrozenBanner />}
        {!wasReady &&
          (error ? (
            <LoadFailed title={words.loadFailed} text={failure} onRetry={refetch} />
          ) : (
            <ProfileLoader />
          ))}
        {open ? (
          // Hidden until the first view is ready, but mounted, so that the screen already fetches its data.
          <div hidden={!wasReady}>
            <Outlet />
          </div>
        ) : (
          data && (
            <Suspense fallback={<ProfileLoader />}>
              <PendingNotice approved={approved} onEdited={noteEdited} />
            </Suspense>
          )
        )}
      </div>
    </div>
  );
}
