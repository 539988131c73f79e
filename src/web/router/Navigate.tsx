/** Navigates as soon as it is rendered. */
import { useEffect } from 'react';
import type { To } from './history.ts';
import { useNavigate } from './hooks.ts';

export function Navigate({ to, replace, state }: { to: To; replace?: boolean; state?: unknown }) {
  const navigate = useNavigate();
  // biome-ignore lint/correctness/useExhaustiveDependencies: navigates once, with the first props
  useEffect(() => void navigate(to, { replace, state }), []);
  return null;
}
