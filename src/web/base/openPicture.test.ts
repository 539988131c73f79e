/** A picture that opens in a tab of its own does not outlive the session. */
import { afterEach, expect, test, vi } from 'vitest';
import { adminCustomersApi } from '#contract/adminCustomers.ts';
import { ida } from '../../../tests/sessions.ts';
import { fetchPicture, openPicture } from './openPicture.ts';
import { saveFile } from './saveFile.ts';
import { adminLoggedIn, adminLoggedOut, selectHasAdminEnded } from './session.ts';
import { makeStore } from './store.ts';

afterEach(() => {
  localStorage.clear();
  vi.unstubAllGlobals();
});

test('the tab with an ID document closes when the session ends, even while the picture is on its way [ST-52]', async () => {
  const store = makeStore();
  store.dispatch(adminLoggedIn(ida));
  const tab = { document: document.implementation.createHTMLDocument(), opener: window, close: vi.fn() };
  vi.stubGlobal('open', () => tab);
  vi.stubGlobal('URL', { createObjectURL: () => 'blob:x' });
  vi.stubGlobal('fetch', async () => new Response('x', { headers: { 'content-type': 'image/webp' } }));
  expect(await store.dispatch(openPicture('/id', 'admin', 'ID document'))).toBe(true);
  expect(tab.close).not.toHaveBeenCalled();
  store.dispatch(adminLoggedOut('ended'));
  expect(tab.close).toHaveBeenCalledOnce();

  store.dispatch(adminLoggedIn(ida));
  vi.stubGlobal('fetch', () => new Promise(() => {}));
  void store.dispatch(openPicture('/id', 'admin', 'ID document'));
  store.dispatch(adminLoggedOut('ended'));
  expect(tab.close).toHaveBeenCalledTimes(2);
});

test('if the bank refuses the session that fetches a picture or a file, the session ends on the screen, too', async () => {
  const store = makeStore();
  vi.stubGlobal('fetch', async () => new Response('{}', { status: 401 }));
  store.dispatch(adminLoggedIn(ida));
  await expect(store.dispatch(fetchPicture('/id', 'admin'))).rejects.toThrow();
  expect(selectHasAdminEnded(store.getState())).toBe(true);

  store.dispatch(adminLoggedIn(ida));
  await store.dispatch(saveFile(adminCustomersApi.exportCustomers, {}, () => {}));
  expect(selectHasAdminEnded(store.getState())).toBe(true);
});
