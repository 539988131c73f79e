/** Shows the idle warning. Rendered only while a user is logged in. */
import { lazy, Suspense, useEffect, useSyncExternalStore } from 'react';
import { Provider } from 'react-redux';
import { idleSecondsLeft, stay, store, subscribeToIdle } from './pageStore.ts';

// Preloaded, so that the dialog is there when it is needed.
const load = () => import('./IdleDialog.tsx');
const IdleDialog = lazy(async () => ({ default: (await load()).IdleDialog }));

export function IdleGuard() {
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
