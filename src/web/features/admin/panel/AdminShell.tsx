/** The administrator's panel at /admin and /admin/dashboard. Redirects to the login if there is no administrator session. */

import { selectAdmin } from '#web/base/session.ts';
import { useAppSelector } from '#web/base/store.ts';
import { Navigate } from '#web/router/Navigate.tsx';
import { AdminDesk } from './AdminDesk.tsx';

export function AdminShell() {
  const admin = useAppSelector(selectAdmin);
  // The key remounts the panel, so that the next administrator does not see what the previous one typed.
  return admin ? (
    <AdminDesk key={admin._id} adminName={admin.name} />
  ) : (
    <Navigate to="/admin/login" replace />
  );
}
