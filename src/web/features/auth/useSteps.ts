/**
 * A multi-step screen. The step is part of the history entry, so that the browser's Back leads to the previous step instead
 * of leaving the screen.
 */
import { useEffect, useRef } from 'react';
import { useLocation, useNavigate } from '#web/router/hooks.ts';

export type Steps<Step extends string> = {
  step: Step;
  /**
   * Goes to a step; does nothing if the screen was left in the meantime. `carried` is stored in the history, so it must
   * never contain a secret.
   */
  go: (next: Step, carried?: object) => void;
  back: () => void;
};

/**
 * Returns the step in the current history entry, or `first` if it has none. After a reload, the data that the step needs may be
 * gone: the screen must check that, and show an earlier step.
 */
export function useSteps<Step extends string>(first: Step): Steps<Step> {
  const { pathname, state } = useLocation() as { pathname: string; state: { step?: Step } | null };
  const navigate = useNavigate();
  const here = useRef(false);
  useEffect(() => {
    here.current = true;
    return () => {
      here.current = false;
    };
  }, []);

  const step = state?.step ?? first;
  return {
    step,
    go: (next, carried) => {
      // Keep the state the visitor came with (where to go afterward). If the screen shows an earlier step than this entry
      // names, going to the named step replaces the entry.
      const options = { state: { ...state, ...carried, step: next }, replace: next === step };
      if (here.current) void navigate(pathname, options);
    },
    back: () => void navigate(-1),
  };
}
