/** The root every entry shares (browser and prerender): strict mode and the store around the router. */
import { type ReactNode, StrictMode } from 'react';
import { Provider } from 'react-redux';
import type { makeStore } from '#web/base/store.ts';

export function App({ store, children }: { store: ReturnType<typeof makeStore>; children: ReactNode }) {
  return (
    <StrictMode>
      <Provider store={store}>{children}</Provider>
    </StrictMode>
  );
}
