/**
 * The guarded room of a customer: without a session it leads to the login, which leads back to the screen asked for; until the profile is there it waits. An
 * unapproved customer sees the notice in place of the banking screens.
 */
import { useEffect, useState } from 'react';
import { Navigate, Outlet, useLocation } from 'react-router';
import * as authMessages from '#contract/messages/auth.ts';
import { LoadFailed } from '#web/bank/LoadFailed.tsx';
import { errorMessage } from '#web/base/callError.ts';
import { endExpiredSessions, type SessionCustomer, selectCustomer } from '#web/base/session.ts';
import { useAppDispatch, useAppSelector } from '#web/base/store.ts';
import { useProfileQuery } from '#web/features/auth/authCalls.ts';
import { DashboardTabs } from './DashboardTabs.tsx';
import { bankingPath } from './dashboardTabList.ts';
import { FrozenBanner } from './FrozenBanner.tsx';
import { PendingNotice } from './PendingNotice.tsx';
import { ProfileLoader } from './ProfileLoader.tsx';
import { ShellHeader } from './ShellHeader.tsx';
import { words } from './words.ts';
import './DashboardShell.css';

export function DashboardShell() {
  const customer = useAppSelector(selectCustomer);
  const dispatch = useAppDispatch();
  const { pathname, search } = useLocation();
  // Who leaves, or is logged out, has not asked for this screen; the next person may be another one.
  const [cameAsStranger] = useState(!customer);
  const wanted = cameAsStranger ? { wanted: pathname + search } : undefined;
  useEffect(() => {
    dispatch(endExpiredSessions());
  }, [dispatch]);
  return customer ? <Dashboard customer={customer} /> : <Navigate to="/login" replace state={wanted} />;
}

function Dashboard({ customer }: { customer: SessionCustomer }) {
  const { pathname } = useLocation();
  // An approval or a freeze shows without a reload: the news of it makes the profile stale.
  const { data, error, refetch } = useProfileQuery(undefined, { refetchOnFocus: true });
  const failure = error ? errorMessage(error, authMessages.profileFailed) : '';

  const approved = data?.isApproved ?? customer.isApproved;
  const open = approved || !bankingPath(pathname);
  return (
    <div className="DashboardShell">
      <ShellHeader customer={customer} approved={approved} atHome={approved && pathname === '/dashboard'} />
      <DashboardTabs approved={approved} />
      <div className="DashboardShell-page wrap">
        {data?.isFrozen && <FrozenBanner />}
        {!data &&
          (error ? (
            <LoadFailed title={words.loadFailed} text={failure} onRetry={refetch} />
          ) : (
            <ProfileLoader />
          ))}
        {open ? (
          // Out of sight until the profile is there, but already asking for what it will show.
          <div hidden={!data}>
            <Outlet />
          </div>
        ) : (
          data && <PendingNotice />
        )}
      </div>
    </div>
  );
}
