/** The layout route of all screens that need the page's store. It is fetched together with the first of these screens. */
import { Provider } from 'react-redux';
import { Outlet } from '#web/router/Outlet.tsx';
import { store } from './pageStore.ts';

export function WithStore() {
  return (
    <Provider store={store}>
      <Outlet />
    </Provider>
  );
}
