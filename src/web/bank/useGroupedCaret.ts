/** Keeps the caret's position in a box whose text gets separators while it is typed, by counting the other characters. */
import { useLayoutEffect, useRef } from 'react';

/**
 * Returns refs: of the box, and of the number of characters before the caret, not counting separators. Set the number while
 * typing; it is used once `text`, the new text, is shown.
 */
export function useGroupedCaret(text: string, separator: ',' | ' ') {
  const box = useRef<HTMLInputElement>(null);
  const caret = useRef<number>(undefined);
  useLayoutEffect(() => {
    if (caret.current === undefined || document.activeElement !== box.current) return;
    let place = 0;
    for (let seen = 0; place < text.length && seen < caret.current; place++)
      if (text[place] !== separator) seen++;
    box.current?.setSelectionRange(place, place);
    caret.current = undefined;
  });
  return { box, caret };
}
