/** Routers with a history in memory, for tests of screens. */
import { type ReactNode, useState } from 'react';
import { openMemoryHistory, type To } from '#web/router/history.ts';
import type { RouteObject } from '#web/router/matching.ts';
import { RouterProvider } from '#web/router/RouterProvider.tsx';
import { createRouter } from '#web/router/router.ts';

/** The entries of the history; the last one is open. */
type Entries = { initialEntries?: readonly (To | { pathname: string; state?: unknown })[] };

export const createMemoryRouter = (routes: RouteObject[], { initialEntries = ['/'] }: Entries = {}) =>
  createRouter(routes, openMemoryHistory(initialEntries));

/** Shows its children at every location. */
export function MemoryRouter({ children, initialEntries }: Entries & { children: ReactNode }) {
  const [router] = useState(() =>
    createMemoryRouter([{ path: '*' }], { ...(initialEntries && { initialEntries }) }),
  );
  return <RouterProvider router={router}>{children}</RouterProvider>;
}
