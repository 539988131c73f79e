/** A screen in steps. The step stands in the history, so that the browser's Back leads to the step before and not out of the screen. */
import { useEffect, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router';

export type Steps<Step extends string> = {
  step: Step;
  /** Goes on to a step; nothing happens when the person has left the screen meanwhile. `carried` stands in the history with it, so never a secret. */
  go: (next: Step, carried?: object) => void;
  back: () => void;
};

/** The step this entry of the history is at, `first` where none is named. What a step needs may be gone after a reload. */
export function useSteps<Step extends string>(first: Step): Steps<Step> {
  const { pathname, state } = useLocation();
  const navigate = useNavigate();
  const here = useRef(false);
  useEffect(() => {
    here.current = true;
    return () => {
      here.current = false;
    };
  }, []);

  const step = (state as { step?: Step } | null)?.step ?? first;
  return {
    step,
    go: (next, carried) => {
      // What the person came with (where to go afterwards) goes along. After a reload this entry may be at a step that what
      // it needs is gone for, and the step before was shown instead: then it is replaced.
      const options = { state: { ...state, ...carried, step: next }, replace: next === step };
      if (here.current) void navigate(pathname, options);
    },
    back: () => void navigate(-1),
  };
}
