/**
 * The store. It starts with the session only; calls (`api.ts`) and the features' slices join when the screen that
 * needs them is loaded, so public pages carry neither. In a browser it also keeps the sessions in storage, agrees with
 * other tabs and ends sessions that run out.
 */
import { combineSlices, configureStore, createDynamicMiddleware } from '@reduxjs/toolkit';
import { useDispatch, useSelector } from 'react-redux';
import { adminSessionSlice, authSlice } from './session.ts';
import { watchSessions } from './watchSessions.ts';

/** Slices that join later declare themselves here by module augmentation (see README.md). */
// biome-ignore lint/suspicious/noEmptyInterface: it is filled by the modules that join
export interface LazySlices {}

export const rootReducer = combineSlices(authSlice, adminSessionSlice).withLazyLoadedSlices<LazySlices>();
export type RootState = ReturnType<typeof rootReducer>;

const joined = createDynamicMiddleware();
/** Adds middleware to every store, running ones included. */
export const { addMiddleware } = joined;

const running = new Set<{ dispatch: (action: { type: string }) => unknown }>();

/** Makes the state of a reducer that has just joined appear at once instead of with the next action. */
export function announceJoined(): void {
  for (const store of running) store.dispatch({ type: 'reducerJoined' });
}

/** Makes the store: one for the life of the page, one for each prerendered page, one for each test. */
export function makeStore() {
  const store = configureStore({
    reducer: rootReducer,
    devTools: import.meta.env.DEV,
    // Files and amounts in cents travel in actions.
    middleware: standard => standard({ serializableCheck: false }).concat(joined.middleware),
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
