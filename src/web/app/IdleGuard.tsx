/** Asks whoever is logged in and does nothing whether they are still there, and logs out where nobody answers. */
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { useStore } from 'react-redux';
import { type Idle, watchIdle } from '#web/base/idle.ts';
import type { AppStore } from '#web/base/store.ts';

// Public pages carry no dialog; by the time it is needed it has long been fetched.
const load = () => import('./IdleDialog.tsx');
const IdleDialog = lazy(async () => ({ default: (await load()).IdleDialog }));

export function IdleGuard({ present }: { present: boolean }) {
  const store = useStore() as AppStore;
  const [secondsLeft, setSecondsLeft] = useState<number>();
  const idle = useRef<Idle>(undefined);

  useEffect(() => {
    idle.current = watchIdle(store, setSecondsLeft);
    return () => idle.current?.stop();
  }, [store]);
  useEffect(() => {
    if (present) void load().catch(() => undefined);
  }, [present]);

  if (secondsLeft === undefined) return null;
  return (
    <Suspense fallback={null}>
      <IdleDialog secondsLeft={secondsLeft} onStay={() => idle.current?.stay()} />
    </Suspense>
  );
}
