/** Syncs the sessions between the store, browser storage, `presence.ts` and other tabs, and ends expired ones. */
import { session } from '#contract/constants.ts';
import { isIdledOut } from './idle.ts';
import { readKeptPress } from './keptPress.ts';
import { setPresence } from './presence.ts';
import {
  adminLoggedIn,
  adminLoggedOut,
  customerLoggedIn,
  endExpiredSessions,
  loggedOut,
  type SessionStore,
  selectAdmin,
  selectCustomer,
} from './session.ts';
import { fromText, readStored, type StorageKey, toText, writeStored } from './sessionStorage.ts';

/** Starts watching; runs as long as the page. */
export function watchSessions(store: SessionStore): void {
  const texts = () => ({
    user: toText('user', selectCustomer(store.getState())),
    admin: toText('admin', selectAdmin(store.getState())),
  });
  const written: Record<StorageKey, string | null> = texts();
  // Delete stored sessions that cannot be used (expired, damaged).
  if (!written.user) writeStored('user', null);
  if (!written.admin) writeStored('admin', null);

  const note = () => {
    const state = store.getState();
    const customer = selectCustomer(state);
    setPresence({
      customer: Boolean(customer),
      admin: Boolean(selectAdmin(state)),
      isApproved: customer?.isApproved === true,
    });
  };
  note();

  store.subscribe(() => {
    note();
    const now = texts();
    for (const key of ['user', 'admin'] as const) {
      // Write only changes made here: a late response must not restore a session that another tab has ended.
      if (now[key] === written[key]) continue;
      written[key] = now[key];
      writeStored(key, now[key]);
    }
  });

  const follow = (key: StorageKey, text: string | null) => {
    written[key] = text;
    if (key === 'user') followCustomer(store, text);
    else followAdmin(store, text);
  };
  addEventListener('storage', event => {
    if (event.storageArea !== null && event.storageArea !== localStorage) return;
    for (const key of ['user', 'admin'] as const)
      if (event.key === key || event.key === null) follow(key, event.newValue);
  });

  // A page from the back/forward cache has missed storage events: its session may have ended, or another customer may have
  // logged in.
  addEventListener('pageshow', ({ persisted }) => {
    if (!persisted) return;
    for (const key of ['user', 'admin'] as const) follow(key, toText(key, readStored(key)));
  });

  const check = () => store.dispatch(endExpiredSessions());
  setInterval(check, session.tokenCheckMs);
  // Timers do not run while a laptop sleeps.
  document.addEventListener('visibilitychange', check);
}

function followCustomer(store: SessionStore, text: string | null): void {
  const before = selectCustomer(store.getState());
  const now = fromText('user', text);
  // Another user's data must be deleted before the new session begins.
  if (before && before._id !== now?._id) {
    const reason = readKeptPress(before._id) ? 'sending' : 'elsewhere';
    store.dispatch(loggedOut(isIdledOut() ? 'ended' : reason));
  }
  if (now && toText('user', before) !== text) {
    store.dispatch(customerLoggedIn(before?._id === now._id ? { ...before, ...now } : now));
  }
}

function followAdmin(store: SessionStore, text: string | null): void {
  const before = selectAdmin(store.getState());
  const now = fromText('admin', text);
  if (before && before._id !== now?._id) store.dispatch(adminLoggedOut(isIdledOut() ? 'ended' : undefined));
  if (now && toText('admin', before) !== text) store.dispatch(adminLoggedIn(now));
}
