/**
 * Shows its children to one kind of visitor. A prerendered page carries all kinds and the head's script picks by
 * storage before the first paint, so the top bar neither flashes nor moves; once alive, the session itself decides.
 */
import type { ReactNode } from 'react';
import { selectAdmin, selectCustomer } from '#web/base/session.ts';
import { useAppSelector } from '#web/base/store.ts';
import { useHydrated } from '#web/base/useHydrated.ts';

export type VisitorKind = 'stranger' | 'customer' | 'admin';

export function Visitor({ kind, children }: { kind: VisitorKind; children: ReactNode }) {
  const hydrated = useHydrated();
  const customer = useAppSelector(selectCustomer);
  const admin = useAppSelector(selectAdmin);
  const present = { stranger: !customer && !admin, customer: Boolean(customer), admin: Boolean(admin) };
  if (hydrated && !present[kind]) return null;
  return (
    <span className="Visitor" data-only={hydrated ? undefined : kind}>
      {children}
    </span>
  );
}
