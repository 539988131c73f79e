/** Where a route shows the open one of its children. */
import { type ReactNode, useContext } from 'react';
import { OutletContext } from './hooks.ts';

export function Outlet(): ReactNode {
  return useContext(OutletContext);
}
