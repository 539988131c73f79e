/**
 * The administrator's panel at /admin and /admin/dashboard. Without a session it redirects to the login, which leads back to
 * the requested view.
 */
import { useState } from 'react';
import { selectAdmin, selectHasAdminEnded } from '#web/base/session.ts';
import { useAppSelector } from '#web/base/store.ts';
import { useLocation } from '#web/router/hooks.ts';
import { Navigate } from '#web/router/Navigate.tsx';
import { AdminDesk } from './AdminDesk.tsx';

export function AdminShell() {
  const admin = useAppSelector(selectAdmin);
  const hasEnded = useAppSelector(selectHasAdminEnded);
  const { search } = useLocation();
  // After a logout the view is not kept: the next administrator starts at the dashboard.
  const [cameAsVisitor] = useState(!admin);
  // The key remounts the panel, so that the next administrator does not see what the previous one typed.
  return admin ? (
    <AdminDesk key={admin._id} adminName={admin.name} />
  ) : (
    <Navigate to="/admin/login" replace state={cameAsVisitor || hasEnded ? { wanted: search } : undefined} />
  );
}
