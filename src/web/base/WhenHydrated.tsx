/**
 * Makes controls that need a script inert until a prerendered page is hydrated: a key press or a submit before that would
 * be lost. Plain text fields stay usable (see `useEarlyInput`).
 */
import type { ReactNode } from 'react';
import { useHydrated } from './useHydrated.ts';

export function WhenHydrated({ className, children }: { className?: string; children: ReactNode }) {
  return (
    <div className={className} inert={!useHydrated()}>
      {children}
    </div>
  );
}
