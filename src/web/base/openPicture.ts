/** Fetches a picture that only this session may see, or shows it in a new tab, which closes when the session ends. */
import type { Access } from '#contract/endpoint.ts';
import { adminLoggedOut, endIfRefused, loggedOut, selectToken, type Thunk } from './session.ts';
import { addMiddleware } from './store.ts';

const tabs = new Set<Window>();

function closeTabs(): void {
  for (const tab of tabs) tab.close();
  tabs.clear();
}

addMiddleware(() => next => action => {
  if (loggedOut.match(action) || adminLoggedOut.match(action)) closeTabs();
  return next(action);
});
// Close them when this page is left, because it cannot close them afterward.
addEventListener('pagehide', closeTabs);

/** Fetches `url` with the session for `access`. Rejects if the answer is not a picture. */
export function fetchPicture(url: string, access: Access): Thunk<Promise<Blob>> {
  return async (dispatch, getState) => {
    const token = selectToken(getState(), access);
    const response = await fetch(url, { headers: { authorization: `Bearer ${token ?? ''}` } });
    dispatch(endIfRefused(response, access, token));
    const picture = await response.blob();
    if (!response.ok || !picture.type.startsWith('image/')) throw new Error('no picture');
    return picture;
  };
}

/**
 * Shows the picture at `url` in a new tab with `title` as its title and heading. Returns false if the fetch failed or the
 * browser blocked the tab.
 */
export function openPicture(url: string, access: Access, title: string): Thunk<Promise<boolean>> {
  return async dispatch => {
    // Opened before the fetch: browsers allow a new tab only during the click itself.
    const tab = window.open('', '_blank');
    if (!tab) return false;
    tabs.add(tab);
    try {
      const address = URL.createObjectURL(await dispatch(fetchPicture(url, access)));
      // The picture is an element of an empty page: Chromium's own page for a picture has inline styles, which the
      // content-security policy that it inherits reports as violations.
      const page = tab.document;
      const heading = page.createElement('h1');
      heading.textContent = title;
      const image = page.createElement('img');
      image.alt = title;
      image.style.maxWidth = '100%';
      page.documentElement.style.colorScheme = 'light dark';
      Object.assign(page.body.style, { margin: '24px', font: '16px system-ui, sans-serif' });
      image.onload = () => URL.revokeObjectURL(address);
      image.src = address;
      page.documentElement.lang = document.documentElement.lang;
      page.title = title;
      page.body.append(heading, image);
      tab.opener = null;
      return true;
    } catch {
      tab.close();
      return false;
    }
  };
}
