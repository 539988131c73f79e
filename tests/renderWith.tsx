/** Renders a component as the app does, with a store and a router. `success` is the bank's answer to a call that succeeded. */
import { render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { Provider } from 'react-redux';
import { customerLoggedIn } from '#web/base/session.ts';
import { makeStore } from '#web/base/store.ts';
import { MemoryRouter } from './memoryRouter.tsx';
import { wren } from './sessions.ts';

/** Renders `shown` with `store`. If `shown` has a router, that router is used instead of the one here. */
export const renderWith = (store: ReturnType<typeof makeStore>, shown: ReactNode) =>
  render(
    <Provider store={store}>
      <MemoryRouter>{shown}</MemoryRouter>
    </Provider>,
  );

/** Renders `shown` for a logged-in customer and returns the store. `fields` override those of `wren`. */
export function renderLoggedIn(
  shown: ReactNode,
  fields: Partial<Parameters<typeof customerLoggedIn>[0]> = {},
) {
  const store = makeStore();
  store.dispatch(customerLoggedIn({ ...wren, ...fields }));
  renderWith(store, shown);
  return store;
}

export const success = (data: unknown) => Response.json({ success: true, message: '', data });
