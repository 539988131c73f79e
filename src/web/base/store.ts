/**
 * The store. It starts with only the session. Calls (`api.ts`) and the features' slices are added when a screen that needs them
 * is loaded, so public pages load neither. In a browser it also persists the sessions, syncs them with other tabs and ends
 * expired ones.
 */
import { combineSlices, configureStore, createDynamicMiddleware, type Middleware } from '@reduxjs/toolkit';
import { useDispatch, useSelector } from 'react-redux';
import { dropKeptPress, keepPressOnlyFor } from './keptPress.ts';
import { adminSessionSlice, authSlice, customerLoggedIn, loggedOut } from './session.ts';
import { watchSessions } from './watchSessions.ts';

/** Lazily added slices declare themselves here by module augmentation (see README.md). */
// biome-ignore lint/suspicious/noEmptyInterface: lazily loaded modules augment it
export interface LazySlices {}

export const rootReducer = combineSlices(authSlice, adminSessionSlice).withLazyLoadedSlices<LazySlices>();
export type RootState = ReturnType<typeof rootReducer>;

const later = createDynamicMiddleware();
/** Adds middleware to every store, including running ones. */
export const { addMiddleware } = later;

const running = new Set<{ dispatch: (action: { type: string }) => unknown }>();

/** Makes the state of a newly added reducer appear immediately instead of with the next action. */
export function announceReducer(): void {
  for (const store of running) store.dispatch({ type: 'reducerAdded' });
}

/**
 * A customer's logout deletes the unanswered press of a button that moves money (`keptPress.ts`). If the session ended by
 * itself, the press stays for the same customer's next session. Other tabs follow a logout but do not know why, so only the
 * tab of the logout deletes the press.
 */
const dropPressAtLogout: Middleware = () => next => action => {
  if (loggedOut.match(action) && (!action.payload || action.payload === 'deleted')) dropKeptPress();
  if (customerLoggedIn.match(action)) keepPressOnlyFor(action.payload._id);
  return next(action);
};

/** Creates a store: one per page, one per prerendered page, one per test. */
export function makeStore() {
  const store = configureStore({
    reducer: rootReducer,
    devTools: import.meta.env.DEV,
    // Actions carry files and bigints, which are not serializable.
    middleware: standard =>
      standard({ serializableCheck: false }).concat(dropPressAtLogout, later.middleware),
  });
  if (typeof window !== 'undefined') {
    running.add(store);
    watchSessions(store);
  }
  return store;
}

export type AppStore = ReturnType<typeof makeStore>;
export type AppDispatch = AppStore['dispatch'];
export const useAppDispatch = useDispatch.withTypes<AppDispatch>();
export const useAppSelector = useSelector.withTypes<RootState>();
