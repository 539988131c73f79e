/** Renders a component as the app does: with a store and a router. */
import { render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { Provider } from 'react-redux';
import type { makeStore } from '#web/base/store.ts';
import { MemoryRouter } from './memoryRouter.tsx';

/** Renders `shown` with `store`. If `shown` has a router, that router is used instead of the one here. */
export const renderWith = (store: ReturnType<typeof makeStore>, shown: ReactNode) =>
  render(
    <Provider store={store}>
      <MemoryRouter>{shown}</MemoryRouter>
    </Provider>,
  );
