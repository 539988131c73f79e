/** Shows the warning before a session ends. Rendered only while a user is logged in. */
import { lazy, Suspense, useEffect, useSyncExternalStore } from 'react';
import { Provider } from 'react-redux';
import { endWarning, stay, store, subscribeToWarning } from './pageStore.ts';

// Preloaded, so that the dialog is there when it is needed.
const load = () => import('./IdleDialog.tsx');
const IdleDialog = lazy(async () => ({ default: (await load()).IdleDialog }));

export function IdleGuard() {
  const warning = useSyncExternalStore(subscribeToWarning, endWarning);
  useEffect(() => {
    void load().catch(() => undefined);
  }, []);

  if (!warning) return null;
  return (
    <Provider store={store}>
      <Suspense fallback={null}>
        <IdleDialog {...warning} onStay={stay} />
      </Suspense>
    </Provider>
  );
}
