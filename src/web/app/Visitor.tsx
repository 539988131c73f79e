/**
 * Shows its children to one kind of visitor. A prerendered page contains the links for all kinds, and the script in its head
 * reads from storage which to show. This happens before the first paint, so the top bar neither flashes nor shifts. After
 * hydration the session decides.
 */
import type { ReactNode } from 'react';
import { usePresence } from '#web/base/presence.ts';
import { useHydrated } from '#web/base/useHydrated.ts';
import './Visitor.css';

export type VisitorKind = 'visitor' | 'customer' | 'admin';

export function Visitor({ kind, children }: { kind: VisitorKind; children: ReactNode }) {
  const hydrated = useHydrated();
  const { customer, admin } = usePresence();
  const present = { visitor: !customer && !admin, customer, admin };
  if (hydrated && !present[kind]) return null;
  return (
    <span className="Visitor" data-only={hydrated ? undefined : kind}>
      {children}
    </span>
  );
}
