/** Copies into the state what was typed or filled in before a prerendered form was hydrated. */
import { type RefObject, useEffect, useRef } from 'react';

/** Calls `take` once, after the first render, with all non-empty named fields of the form. Not called if all are empty. */
export function useEarlyInput(
  take: (entered: Record<string, string>) => void,
): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what was there before the first render counts
  useEffect(() => {
    if (!form.current) return;
    const entered = [...new FormData(form.current)].filter(
      (field): field is [string, string] => typeof field[1] === 'string' && field[1] !== '',
    );
    if (entered.length > 0) take(Object.fromEntries(entered));
  }, []);
  return form;
}
