/**
 * Keeps what only works with a script out of reach until a prerendered page has come alive: a key pressed or a form sent
 * before that would be lost. Fields that are merely typed into stay open (see `useTypedEarly`).
 */
import type { ReactNode } from 'react';
import { useHydrated } from './useHydrated.ts';

export function WhenAlive({ className, children }: { className?: string; children: ReactNode }) {
  return (
    <div className={className} inert={!useHydrated()}>
      {children}
    </div>
  );
}
