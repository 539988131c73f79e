/** The administrator's panel at /admin and /admin/dashboard. Redirects to the login if there is no administrator session. */
import { Navigate } from 'react-router';
import { selectAdmin } from '#web/base/session.ts';
import { useAppSelector } from '#web/base/store.ts';
import { AdminDesk } from './AdminDesk.tsx';

export function AdminShell() {
  const admin = useAppSelector(selectAdmin);
  return admin ? <AdminDesk adminName={admin.name} /> : <Navigate to="/admin/login" replace />;
}
