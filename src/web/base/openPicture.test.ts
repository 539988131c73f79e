/** A picture that opens in a tab of its own does not outlive the session. */
import { afterEach, expect, test, vi } from 'vitest';
import { ida } from '../../../tests/sessions.ts';
import { openPicture } from './openPicture.ts';
import { adminLoggedIn, adminLoggedOut } from './session.ts';
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
  expect(await openPicture('/id', ida.token, 'ID document')).toBe(true);
  expect(tab.close).not.toHaveBeenCalled();
  store.dispatch(adminLoggedOut('ended'));
  expect(tab.close).toHaveBeenCalledOnce();

  store.dispatch(adminLoggedIn(ida));
  vi.stubGlobal('fetch', () => new Promise(() => {}));
  void openPicture('/id', ida.token, 'ID document');
  store.dispatch(adminLoggedOut('ended'));
  expect(tab.close).toHaveBeenCalledTimes(2);
});
