/** Asks whoever is logged in and does nothing whether they are still there. Stands only where somebody is logged in. */
import { lazy, Suspense, useEffect, useSyncExternalStore } from 'react';
import { Provider } from 'react-redux';
import { idleSecondsLeft, openStore, stay, subscribeToIdle } from './pageStore.ts';

// By the time the dialog is needed it has long been fetched.
const load = () => import('./IdleDialog.tsx');
const IdleDialog = lazy(async () => ({ default: (await load()).IdleDialog }));

export function IdleGuard() {
  const store = openStore();
  const secondsLeft = useSyncExternalStore(subscribeToIdle, idleSecondsLeft);
  useEffect(() => {
    void load().catch(() => undefined);
  }, []);

  if (secondsLeft === undefined) return null;
  return (
    <Provider store={store}>
      <Suspense fallback={null}>
        <IdleDialog secondsLeft={secondsLeft} onStay={stay} />
      </Suspense>
    </Provider>
  );
}
