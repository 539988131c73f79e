/** The place in a route where its open child is rendered. */
import { type ReactNode, useContext } from 'react';
import { OutletContext } from './hooks.ts';

export function Outlet(): ReactNode {
  return useContext(OutletContext);
}
