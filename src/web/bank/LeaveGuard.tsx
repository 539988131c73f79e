/**
 * Asks before a person leaves a form with unsaved changes. Links and Back open a dialog if they stay in the app; a reload
 * or closing the tab opens the browser's own question. Use at most one guard per screen, because the router supports one
 * blocker. A logout does not ask.
 */
import { lazy, Suspense, useEffect } from 'react';
import { useBlocker } from '#web/router/hooks.ts';
import { useLastKnown } from '#web/ui/useLastKnown.ts';

const loadDialog = () => import('./LeaveDialog.tsx');
// Loaded at the first change, so that the registration's first packets do not contain a dialog's styles.
const LeaveDialog = lazy(async () => ({ default: (await loadDialog()).LeaveDialog }));

export type LeaveGuardProps = {
  /** The form has changes that leaving would lose. */
  when: boolean;
  /** The query string names the open tab, so a change of it also leaves the form. */
  orTab?: boolean;
  /** What the question is about. 'form': it may have been sent, so the question says neither that it was nor that it wasn't. */
  asks?: 'unsaved' | 'unsent' | 'form' | undefined;
};

export function LeaveGuard({ when, orTab, asks }: LeaveGuardProps) {
  // A change of only the hash never leaves the screen; a change of the query string leaves it only with `orTab`.
  const blocked = useBlocker(
    (from, to) => when && (from.pathname !== to.pathname || (orTab === true && from.search !== to.search)),
  );
  const wasBlocked = useLastKnown(blocked) !== undefined;
  useEffect(() => {
    if (!when) return;
    loadDialog().catch(() => {});
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [when]);
  return (
    wasBlocked && (
      <Suspense>
        <LeaveDialog blocked={blocked} asks={asks} />
      </Suspense>
    )
  );
}
