/** The administrator's panel at /admin and /admin/dashboard. Redirects to the login if there is no administrator session. */

import { selectAdmin } from '#web/base/session.ts';
import { useAppSelector } from '#web/base/store.ts';
import { Navigate } from '#web/router/Navigate.tsx';
import { AdminDesk } from './AdminDesk.tsx';

export function AdminShell() {
  const admin = useAppSelector(selectAdmin);
  return admin ? <AdminDesk adminName={admin.name} /> : <Navigate to="/admin/login" replace />;
}
