/** What every door and every screen behind one stands in: the page's store, fetched with the first of them. */
import { Provider } from 'react-redux';
import { Outlet } from 'react-router';
import { openStore } from './pageStore.ts';

export function StoreRoom() {
  return (
    <Provider store={openStore()}>
      <Outlet />
    </Provider>
  );
}
